import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { copyDatabase } from '../../../src/engine/store/sqlite/copy.js'
import { inHome } from '../../support/home.js'

describe('a copy of a database', () => {
  it('is readable by its owner only, even while it is being written', () =>
    inHome(async (home) => {
      const from = join(home, 'test.db')
      const to = join(home, 'copy.db')
      const database = new BetterSqlite(from)
      database.exec('create table large (content blob)')
      // More pages than are copied in one step.
      const insert = database.prepare('insert into large values (zeroblob(1000000))')
      for (let count = 0; count < 50; count++) insert.run()
      database.close()
      const modes = new Set<number>()
      let isMade = false
      const copying = copyDatabase(from, to).then(() => {
        isMade = true
      })
      while (!isMade) {
        const stat = statSync(to, { throwIfNoEntry: false })
        if (stat) modes.add(stat.mode & 0o777)
        await turn()
      }
      await copying
      expect([...modes]).to.deep.equal([0o600])
    }))
})
