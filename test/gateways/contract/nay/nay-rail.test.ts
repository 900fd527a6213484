import { readFile } from 'node:fs/promises'
import { expect } from 'chai'

/**
 * Keeps the example rail on docs/gateways.md equal to the tested one. `contract.test.ts` tests the behaviour
 * of the rail.
 */
describe('the example rail on the page docs/gateways.md', () => {
  it('is the rail that the contract tests run', async () => {
    const page = await readFile('docs/gateways.md', 'utf8')
    const code = await readFile('test/gateways/contract/nay/nay-rail.ts', 'utf8')
    const [, shown = ''] = /```ts\n(export function nayRail.*?)```/s.exec(page) ?? []
    expect(code.slice(code.indexOf('export function'))).to.equal(shown)
  })
})
