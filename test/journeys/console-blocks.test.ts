import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { lasting } from '../support/typed-shell.js'
import { typedPage } from './typed-page.js'

/** Pages whose commands begin in an empty home, with the number of their commands. */
const PAGES = { 'README.md': 7, 'docs/people.md': 6 }

onDatabases((open) => {
  describe('a page of the documentation', () => {
    for (const [name, count] of Object.entries(PAGES))
      it(`shows in ${name} what its commands print`, async () => {
        const page = await readFile(new URL(`../../${name}`, import.meta.url), 'utf8')
        const typed: string[] = []
        for await (const { command, exitCode, before, now } of typedPage({
          page,
          place: await open.place(),
        })) {
          typed.push(command)
          expect(exitCode, command).to.equal(0)
          expect(lasting(now), command).to.equal(lasting(before))
        }
        expect(typed).to.have.length(count)
      })
  })
})
