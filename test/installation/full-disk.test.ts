import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { backUp } from '../../src/installation/backup.js'
import { exportKeys } from '../../src/installation/keys.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import { onSqlite } from '../support/databases.js'
import { rejection } from '../support/rejection.js'
import { fill, mayMount, onSmallDisk } from '../support/small-disk.js'

const PASSPHRASE = 'correct horse battery staple'

onSqlite((open) => {
  // The small disk can be created only by a user who may mount.
  if (!mayMount) return
  describe('a full disk outside of the home', () => {
    it('is named in the error of a backup to that disk', async () => {
      const { home } = await open.migrated()
      await onSmallDisk(async (disk) => {
        const folder = join(disk, 'backup')
        mkdirSync(folder)
        fill(disk)
        const { message } = await rejection(backUp({ home, folder, madeBy: '1', now: systemClock.now() }))
        expect(message).to.equal(
          `The disk that holds ${join(folder, 'test.db')} is full; free some space and try again.`,
        )
      })
    })

    it('keeps no partial export of the keys, which could be mistaken for a complete one', async () => {
      const { home } = await open.migrated()
      await onSmallDisk(async (disk) => {
        const path = join(disk, 'keys')
        const free = fill(disk)
        expect(() => exportKeys(home, path, PASSPHRASE, systemRandom)).to.throw('cannot be written (ENOSPC)')
        expect(existsSync(path)).to.equal(false)
        free()
        exportKeys(home, path, PASSPHRASE, systemRandom)
      })
    })
  })
})
