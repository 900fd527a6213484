import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import type { Store } from '../../../../src/engine/store/database/store.js'
import { StoreError } from '../../../../src/engine/store/database/store-error.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { explainSqliteError } from '../../../../src/engine/store/sqlite/sqlite-errors.js'
import { keyFilePath } from '../../../../src/engine/store/vault/key-file.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { idsIn, insert, storedIds } from '../../../support/counters.js'
import { inHome } from '../../../support/home.js'
import { asOrdinaryUser, giveToOrdinaryUser } from '../../../support/ordinary-user.js'
import { rejection } from '../../../support/rejection.js'

describe('a SQLite database', () => {
  const open = (home: string) => openStore({ home, environment: 'test', random: systemRandom })
  async function used<T>(home: string, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await open(home)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  }
  const withDatabase = (work: (home: string, path: string) => Promise<void>) => () =>
    inHome(async (home) => {
      await used(home, (store) => store.write((tx) => insert(tx, 'a')))
      await work(home, join(home, 'test.db'))
    })

  /** Loads all modules first, because the ordinary user below may not be able to read them. */
  before(() => inHome((home) => used(home, storedIds)))

  async function expectProblem(
    attempt: Promise<unknown>,
    problem: string,
    path: string,
  ): Promise<StoreError> {
    const error = await rejection(attempt)
    if (!(error instanceof StoreError)) throw error
    expect(error.problem).to.equal(problem)
    expect(error.message).to.include(path)
    expect(error.message).to.match(/^[^\n.]*(\.\w+[^\n.]*)*[.]?$/)
    return error
  }

  it('is created for its owner only, with its folder', () =>
    inHome(async (parent) => {
      const home = join(parent, 'new', 'home')
      await used(home, async (store) => {
        await store.write((tx) => insert(tx, 'a'))
        for (const file of ['test.db', 'test.db-wal', 'test.db-shm', 'payctl.key'])
          expect(statSync(join(home, file)).mode & 0o777, file).to.equal(0o600)
      })
      expect(statSync(home).mode & 0o777).to.equal(0o700)
    }))

  it(
    'is refused if it is no SQLite file',
    withDatabase(async (home, path) => {
      writeFileSync(path, 'no database at all, but long enough to be read as the header of one '.repeat(20))
      await expectProblem(open(home), 'corrupt', path)
    }),
  )

  it(
    'is refused if it is damaged',
    withDatabase(async (home, path) => {
      truncateSync(path, Math.floor(statSync(path).size / 2))
      await expectProblem(
        used(home, (store) => store.write((tx) => insert(tx, 'b'))),
        'corrupt',
        path,
      )
    }),
  )

  it(
    'is refused if it is from a newer version',
    withDatabase(async (home, path) => {
      await used(home, (store) =>
        store.write((tx) => tx.any.insertInto('migrations').values({ name: '9999_future' }).execute()),
      )
      const error = await expectProblem(open(home), 'newer_version', path)
      expect(error.message).to.include('9999_future')
    }),
  )

  it(
    'is refused if it is empty, as a failed copy leaves it',
    withDatabase(async (home, path) => {
      truncateSync(path, 0)
      await expectProblem(open(home), 'corrupt', path)
    }),
  )

  it(
    'is refused if it is missing beside its journal',
    withDatabase(async (home, path) => {
      writeFileSync(`${path}-wal`, readFileSync(path))
      rmSync(path)
      await expectProblem(open(home), 'missing', path)
    }),
  )

  it(
    'is refused if it is removed while in use',
    withDatabase(async (home, path) => {
      await used(home, async (store) => {
        await store.write((tx) => insert(tx, 'b'))
        rmSync(path)
        await expectProblem(
          store.write((tx) => insert(tx, 'c')),
          'missing',
          path,
        )
      })
    }),
  )

  it(
    'is refused if it is replaced while in use',
    withDatabase(async (home, path) => {
      await used(home, async (store) => {
        await store.write((tx) => insert(tx, 'b'))
        renameSync(path, `${path}.old`)
        copyFileSync(`${path}.old`, path)
        await expectProblem(
          store.write((tx) => insert(tx, 'c')),
          'missing',
          path,
        )
      })
    }),
  )

  it(
    'is refused if it is removed before the first write',
    withDatabase(async (home, path) => {
      await used(home, async (store) => {
        rmSync(path)
        await expectProblem(
          store.write((tx) => insert(tx, 'b')),
          'missing',
          path,
        )
      })
    }),
  )

  it('is refused if its folder is missing and cannot be created', () =>
    inHome(async (parent) => {
      const file = join(parent, 'file')
      writeFileSync(file, '')
      await expectProblem(open(join(file, 'home')), 'missing', join(file, 'home', 'test.db'))
    }))

  it('is refused if this user cannot open its folder', () =>
    inHome((parent) => {
      chmodSync(parent, 0o755)
      const closed = join(parent, 'closed')
      mkdirSync(closed, { mode: 0o000 })
      return asOrdinaryUser(async () => {
        await expectProblem(open(join(closed, 'home')), 'no_access', join(closed, 'home', 'test.db'))
      })
    }))

  it(
    'is refused if it is read-only',
    withDatabase(async (home, path) => {
      chmodSync(home, 0o777)
      chmodSync(path, 0o444)
      giveToOrdinaryUser(keyFilePath(home))
      await asOrdinaryUser(() =>
        used(home, async (store) => {
          expect(await storedIds(store)).to.deep.equal(['a'])
          await expectProblem(
            store.write((tx) => insert(tx, 'b')),
            'read_only',
            path,
          )
        }),
      )
    }),
  )

  it(
    'is refused if its folder is read-only',
    withDatabase(async (home, path) => {
      chmodSync(home, 0o555)
      chmodSync(path, 0o444)
      giveToOrdinaryUser(keyFilePath(home))
      await asOrdinaryUser(async () => {
        const error = await rejection(used(home, (store) => store.write(idsIn)))
        expect(error).to.be.instanceOf(StoreError)
        expect(error).to.have.property('problem').that.is.oneOf(['read_only', 'no_access'])
      })
      chmodSync(home, 0o700)
    }),
  )

  for (const [code, problem] of Object.entries({
    SQLITE_BUSY: 'busy',
    SQLITE_BUSY_SNAPSHOT: 'busy',
    SQLITE_LOCKED: 'busy',
    SQLITE_FULL: 'disk_full',
    ENOSPC: 'disk_full',
    SQLITE_READONLY_DBMOVED: 'read_only',
    EROFS: 'read_only',
    SQLITE_CANTOPEN: 'no_access',
    EACCES: 'no_access',
    ENOENT: 'missing',
    SQLITE_CORRUPT_VTAB: 'corrupt',
    SQLITE_IOERR_WRITE: 'corrupt',
  }))
    it(`is reported by its error code: ${code}`, () => {
      const cause = Object.assign(new Error('something'), { code })
      const told = explainSqliteError(cause, process.execPath)
      expect(told).to.be.instanceOf(StoreError).and.to.include({ problem, cause })
    })

  it('does not hide any other error', () => {
    const error = new Error('refused')
    expect(explainSqliteError(error, '/home/test.db')).to.equal(error)
  })
})
