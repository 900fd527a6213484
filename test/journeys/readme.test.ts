import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { lasting } from '../support/typed-shell.js'
import { typedPage } from './typed-page.js'

const PAGE = new URL('../../README.md', import.meta.url)

onSqlite((open) => {
  describe('the first payment of the README', () => {
    it('shows what its commands print', async () => {
      const page = await readFile(PAGE, 'utf8')
      const typed: string[] = []
      for await (const { command, exitCode, before, now } of typedPage({ page, place: await open.place() })) {
        expect(exitCode, command).to.equal(0)
        expect(lasting(now), command).to.equal(lasting(before))
        typed.push(command)
      }
      expect(typed).to.have.length(7)
    })
  })
})
