import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.js'
import { lasting } from '../support/typed-shell.js'
import { typedPage } from './typed-page.js'

const PAGE = new URL('../../docs/people.md', import.meta.url)

onEachDatabase((open) => {
  it('the page about people shows what its commands print', async () => {
    const page = await readFile(PAGE, 'utf8')
    let count = 0
    for await (const { command, exitCode, before, now } of typedPage({
      page,
      place: await open.migrated(),
    })) {
      expect(exitCode, command).to.equal(0)
      expect(lasting(now), command).to.equal(lasting(before))
      count++
    }
    expect(count).to.be.at.least(6)
  })
})
