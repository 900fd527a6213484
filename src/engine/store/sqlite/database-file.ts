import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { StoreError } from '../database/store-error.js'
import { publish } from '../files/files.js'

/** Path of an environment's database file. */
export function databasePath(home: string, environment: string): string {
  return join(home, `${environment}.db`)
}

export function holdsDatabase(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0
}

/**
 * Creates the file, readable by its owner only, unless it exists; SQLite gives its journal the same mode.
 * Throws a `StoreError` if only the journal exists, because it holds commits of a file that was removed.
 * Throws one for an empty file, too: a copy or restore may have failed, and a new database would hide that.
 * `expectNew` throws if the file is known to have existed.
 */
export function makeDatabaseFile(path: string, expectNew: () => void): void {
  // Another process may create the file and the journal at the same time, the file first. So the journal is
  // checked first, and the file only once.
  const hasJournal = holdsDatabase(`${path}-wal`)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size !== undefined && size > 0) return
  if (size === 0)
    throw new StoreError(
      'corrupt',
      `The file ${path} is empty; restore it from a backup, or remove it to begin anew.`,
    )
  if (hasJournal)
    throw new StoreError(
      'missing',
      `The database ${path} is gone but its journal is not; put the file back or restore a backup.`,
    )
  expectNew()
  // The journal mode is set before the file gets its name, because changing it would disturb another
  // process that opens the file.
  publish(path, (draft) => {
    closeSync(openSync(draft, 'wx', 0o600))
    const database = new BetterSqlite(draft)
    try {
      database.pragma('journal_mode = WAL')
    } finally {
      database.close()
    }
  })
}
