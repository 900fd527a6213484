import { readFile } from 'node:fs/promises'
import { expect } from 'chai'

/** The contract's declining half is in `contract.test.ts`; this is how the page and the rail stay the same. */
describe('the rail of the page on gateways', () => {
  it('is the one that the contract is tried with', async () => {
    const page = await readFile('docs/gateways.md', 'utf8')
    const code = await readFile('test/gateways/contract/nay/nay-rail.ts', 'utf8')
    const [, shown = ''] = /```ts\n(export function nayRail.*?)```/s.exec(page) ?? []
    expect(code.slice(code.indexOf('export function'))).to.equal(shown)
  })
})
