import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { backUp } from '../../src/installation/backup.js'
import { recordedBackups } from '../../src/installation/recorded-backups.js'
import { systemClock } from '../../src/platform/clock.js'
import { onSqlite } from '../support/databases.js'
import { rejection } from '../support/rejection.js'
import { restoreBackup } from '../support/restored.js'

onSqlite((open) => {
  describe('a restore', () => {
    it('replaces no database unless all of them can be replaced', async () => {
      const { home, folder } = await backedUp()
      const before = filesIn(home)
      const other = new BetterSqlite(join(home, 'live.db'))
      other.exec('begin immediate')
      expect(await rejection(restoreBackup(home, folder))).to.have.property('problem', 'busy')
      other.close()
      expect(filesIn(home)).to.deep.equal(before)
    })

    it('keeps the files that an earlier restore of the same second moved aside', async () => {
      const { home, folder } = await backedUp()
      const before = filesIn(home)
      const names = []
      for (let count = 0; count < 3; count++) names.push(...(await restoreBackup(home, folder)))
      expect(new Set(names)).to.have.property('size', names.length)
      const left = new Set(filesIn(home).map(({ inode }) => inode))
      for (const { name, inode } of before)
        if (/\.(db|head)$/.test(name)) expect(left, name).to.include(inode)
      const aside = (await recordedBackups(home)).filter(({ made_at }) => made_at === null)
      expect(aside).to.have.length(6)
    })
  })

  async function backedUp() {
    const { home } = await open.migrated()
    const folder = join(home, 'elsewhere', 'backup')
    await backUp({ home, folder, madeBy: 'test', now: systemClock.now() })
    return { home, folder }
  }
})

function filesIn(home: string) {
  return readdirSync(home).map((name) => ({ name, inode: statSync(join(home, name)).ino }))
}
