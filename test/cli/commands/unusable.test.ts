import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { inHome } from '../../support/home.js'
import { withoutPowers } from '../../support/ordinary-user.js'
import { payctl } from './payctl.js'
import { expectRefused, expectWritesRefused, type Refused } from './refused.js'

/** Makes a used home unusable; returns the expected refusal. */
type Spoil = (home: string, database: string, key: string) => Refused

const UNEXPECTED = 1
const UNAVAILABLE = 9

onSqlite((open) => {
  describe('payctl on an unusable home', () => {
    let used: string
    before(async () => {
      used = (await open.place()).home
      await payctl({ home: used }, ['customers', 'create', '--name', 'Ada'])
    })

    const inUsedHome = (work: (home: string, database: string, key: string) => Promise<void>) => () =>
      inHome((parent) => {
        const home = join(parent, 'home')
        cpSync(used, home, { recursive: true, preserveTimestamps: true })
        return work(home, join(home, 'test.db'), join(home, 'payctl.key'))
      })

    const damaged = (database: string): Refused => ({
      exitCode: UNEXPECTED,
      sentence: `The file ${database} is damaged or no database of payctl; restore it from a backup.`,
    })
    const keyDamaged = (key: string): Refused => ({
      exitCode: UNEXPECTED,
      sentence: `The key file ${key} is damaged; restore it from your backup of it.`,
    })
    const noDatabaseAt = (path: string): Refused => ({
      exitCode: UNEXPECTED,
      sentence: `There can be no database at ${path}; name a folder for it in PAYCTL_HOME.`,
    })

    const spoilt: Record<string, Spoil> = {
      'the key file is missing'(_home, _database, key) {
        rmSync(key)
        return {
          exitCode: UNEXPECTED,
          sentence: `The key file ${key} is missing; restore it from your backup of it, for what it sealed cannot be read without.`,
        }
      },
      'others can read the key file'(_home, _database, key) {
        chmodSync(key, 0o644)
        return {
          exitCode: UNEXPECTED,
          sentence: `The key file ${key} is open to other users; run: chmod 600 ${key}`,
        }
      },
      'the key file is damaged'(_home, _database, key) {
        truncateSync(key, 40)
        return keyDamaged(key)
      },
      'the key file is a folder'(_home, _database, key) {
        rmSync(key)
        mkdirSync(key, { mode: 0o700 })
        return keyDamaged(key)
      },
      'the database is gone but its journal is not'(_home, database) {
        copyFileSync(database, `${database}-wal`)
        rmSync(database)
        return {
          exitCode: UNEXPECTED,
          sentence: `The database ${database} is gone but its journal is not; put the file back or restore a backup.`,
        }
      },
      'the database is empty'(_home, database) {
        truncateSync(database, 0)
        return {
          exitCode: UNEXPECTED,
          sentence: `The file ${database} is empty; restore it from a backup, or remove it to begin anew.`,
        }
      },
      'the database is something else'(_home, database) {
        writeFileSync(database, 'something else, long enough to have a header of its own '.repeat(20))
        return damaged(database)
      },
      'the database is cut short'(_home, database) {
        truncateSync(database, Math.floor(statSync(database).size / 2))
        return damaged(database)
      },
      'the database is from a newer version'(_home, database) {
        const connection = new BetterSqlite(database)
        connection.prepare('insert into migrations (name) values (?)').run('9999_future')
        connection.close()
        return {
          exitCode: UNEXPECTED,
          sentence: `The database ${database} was made by a newer payctl (9999_future); install that version to use it.`,
        }
      },
      'the home is a file'(home, database) {
        rmSync(home, { recursive: true })
        writeFileSync(home, '')
        return noDatabaseAt(database)
      },
      'the home is in a file'(home) {
        rmSync(home, { recursive: true })
        writeFileSync(home, '')
        return noDatabaseAt(join(home, 'deeper', 'test.db'))
      },
    }
    for (const [what, spoil] of Object.entries(spoilt))
      it(
        `reports that ${what}`,
        inUsedHome(async (home, database, key) => {
          const refused = spoil(home, database, key)
          const place = { home: what === 'the home is in a file' ? join(home, 'deeper') : home }
          await expectRefused(place, refused)
        }),
      )

    it('reports that the home is a device', () =>
      expectRefused({ home: '/dev/null' }, noDatabaseAt('/dev/null/test.db')))

    const through = withoutPowers()
    if (through) {
      it('reports that the home cannot be created', () =>
        inHome(async (parent) => {
          chmodSync(parent, 0o500)
          const home = join(parent, 'home')
          const sentence = `The database ${home}/test.db cannot be opened; give this user access to it and its folder.`
          await expectRefused({ home }, { exitCode: UNEXPECTED, sentence }, { through })
        }))

      it('reports that the home is not writable', () =>
        inHome(async (home) => {
          chmodSync(home, 0o500)
          const sentence = `The key file ${home}/payctl.key can be neither read nor made; make its folder writable or name another in PAYCTL_HOME.`
          await expectRefused({ home }, { exitCode: UNEXPECTED, sentence }, { through })
        }))

      it('reports that the home folder cannot be opened', () =>
        inHome(async (home) => {
          chmodSync(home, 0o000)
          const outcome = await payctl({ home }, ['customers', 'create', '--name', 'Ada'], { through })
          expect(outcome.exitCode).to.equal(UNEXPECTED)
          expect(outcome.stderr).to.include('may not open the folder').and.not.include('cannot be made')
          chmodSync(home, 0o700)
        }))

      it(
        'reports that the database cannot be read',
        inUsedHome(async (home, database) => {
          chmodSync(database, 0o000)
          const sentence = `The database ${database} cannot be opened; give this user access to it and its folder.`
          await expectRefused({ home }, { exitCode: UNEXPECTED, sentence }, { through })
        }),
      )

      it(
        'reports that the database cannot be written, and still reads it',
        inUsedHome(async (home, database) => {
          chmodSync(database, 0o400)
          await expectWritesRefused({ home }, cannotBeWritten(database), { through })
        }),
      )

      it(
        'reports that the database and its folder cannot be written',
        inUsedHome(async (home, database) => {
          chmodSync(database, 0o400)
          chmodSync(home, 0o500)
          await expectRefused({ home }, cannotBeWritten(database), { through })
          chmodSync(home, 0o700)
        }),
      )

      if (through.length > 0)
        it(
          'reports that the key file belongs to another user',
          inUsedHome(async (home, _database, key) => {
            chownSync(key, 65_534, 65_534)
            const sentence = `The key file ${key} belongs to another user; run as its owner.`
            await expectRefused({ home }, { exitCode: UNEXPECTED, sentence }, { through })
          }),
        )
    }

    // The commands of this test run in parallel, because each waits ten seconds for the lock.
    it(
      'reports that another program locks the database, and still reads it',
      inUsedHome(async (home, database) => {
        const other = new BetterSqlite(database)
        other.exec('begin immediate')
        try {
          await expectWritesRefused(
            { home },
            {
              exitCode: UNAVAILABLE,
              sentence: `The database ${database} is locked by another process; stop that process or try again.`,
            },
          )
        } finally {
          other.close()
        }
      }),
    )
  })
})

function cannotBeWritten(database: string): Refused {
  return {
    exitCode: UNEXPECTED,
    sentence: `The database ${database} cannot be written; make the file and its folder writable.`,
  }
}
