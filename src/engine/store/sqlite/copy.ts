import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { codeOf } from '../../../platform/error-code.js'
import { StoreError } from '../database/store-error.js'
import { explainSqliteError } from './sqlite-errors.js'

/** Pages that are copied at once. */
const PAGES = 10_000

/**
 * Copies a database while others write to it: the copy is that of one moment. A file that has the name is replaced.
 * Throws a `StoreError`.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await withDatabase(from, async (database) => {
    // Without a read of its own that goes on, the copy would begin anew at each commit of somebody else.
    database.exec('begin')
    database.prepare('select count(*) from sqlite_master').get()
    // For its owner only from the first page on: a large one takes minutes, in a folder that others may look into.
    try {
      rmSync(to, { force: true })
      closeSync(openSync(to, 'wx', 0o600))
      await database.backup(to, { progress: () => PAGES })
    } catch (error) {
      // What is read is damaged or locked; anything else is about the place of the copy.
      throw explainSqliteError(
        error,
        /^SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB)/.test(codeOf(error) ?? '') ? from : to,
      )
    }
    database.exec('commit')
  })
  // A file that needs no journal beside it can be read wherever it lies.
  await setJournal(to, 'DELETE')
}

/** A file that is read and written at once needs `WAL`. */
export async function setJournal(path: string, mode: 'DELETE' | 'WAL'): Promise<void> {
  await withDatabase(path, async (database) => database.pragma(`journal_mode = ${mode}`))
}

/** What is wrong inside of a database file; nothing when all of it is whole. Throws a `StoreError`. */
export async function damageIn(path: string): Promise<string | undefined> {
  return await withDatabase(path, async (database) => {
    const said = database.pragma('integrity_check(1)', { simple: true })
    return said === 'ok' ? undefined : String(said)
  })
}

/**
 * Brings the journal of a database into its file, so that the file may be moved. Throws a `StoreError` while any other
 * process has it open.
 */
export async function settle(path: string): Promise<void> {
  await withDatabase(path, async (database) => {
    database.pragma('busy_timeout = 0')
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('begin exclusive; commit')
    database.pragma('wal_checkpoint(TRUNCATE)')
  })
  if (existsSync(`${path}-wal`))
    throw new StoreError('busy', `The database ${path} is in use; stop payctl serve and try again.`)
}

/** Works on a database file that nobody else has open. Throws a `StoreError`. */
async function withDatabase<T>(path: string, work: (database: Database) => Promise<T>): Promise<T> {
  try {
    const database = new BetterSqlite(path, { fileMustExist: true })
    try {
      return await work(database)
    } finally {
      database.close()
    }
  } catch (error) {
    throw explainSqliteError(error, path)
  }
}
