import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import BetterSqlite, { type Database } from 'better-sqlite3'
import { codeOf } from '../../../platform/error-code.js'
import { StoreError } from '../database/store-error.js'
import { explainSqliteError } from './sqlite-errors.js'

/** Number of pages that are copied at once. */
const PAGES = 10_000

/**
 * Copies a database, in its state at one moment, while other processes write to it. An existing file is
 * replaced. Throws a `StoreError`.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await withDatabase(from, async (database) => {
    // Without an open read, the copy would start again at each commit of another process.
    database.exec('begin')
    database.prepare('select count(*) from sqlite_master').get()
    // The copy is readable by its owner only, from the first page on. A large copy takes minutes, in a folder
    // that others may be able to read.
    try {
      rmSync(to, { force: true })
      closeSync(openSync(to, 'wx', 0o600))
      await database.backup(to, { progress: () => PAGES })
    } catch (error) {
      // Only a damaged or locked database is an error of the source; all other errors concern the copy.
      throw explainSqliteError(
        error,
        /^SQLITE_(BUSY|LOCKED|CORRUPT|NOTADB)/.test(codeOf(error) ?? '') ? from : to,
      )
    }
    database.exec('commit')
  })
  // A file without a journal beside it can be read from any place.
  await setJournal(to, 'DELETE')
}

/** Sets the journal mode of a database file. Reading and writing at the same time requires `WAL`. */
export async function setJournal(path: string, mode: 'DELETE' | 'WAL'): Promise<void> {
  await withDatabase(path, async (database) => database.pragma(`journal_mode = ${mode}`))
}

/** Damage inside a database file as text; undefined if the file is intact. Throws a `StoreError`. */
export async function damageIn(path: string): Promise<string | undefined> {
  return await withDatabase(path, async (database) => {
    const said = database.pragma('integrity_check(1)', { simple: true })
    return said === 'ok' ? undefined : String(said)
  })
}

/**
 * Writes the journal of a database into its file, so that the file may be moved. Throws a `StoreError`
 * while another process has it open.
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

/** Runs `work` with a database file and closes it again. Throws a `StoreError`. */
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
