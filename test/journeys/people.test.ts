import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.js'
import { typed } from './story.js'

const PAGE = new URL('../../docs/people.md', import.meta.url)

onEachDatabase((open) => {
  it('the page about people shows what its commands print', async () => {
    const place = await open.migrated()
    let count = 0
    for await (const { command, expected, printed } of typed(
      await readFile(PAGE, 'utf8'),
      place,
      new Map(),
    )) {
      expect(printed, command).to.equal(expected)
      count++
    }
    expect(count).to.be.at.least(6)
  })
})
