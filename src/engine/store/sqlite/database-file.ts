import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { StoreError } from '../database/store-error.js'
import { publish } from '../files/files.js'

/** The database file of an environment. */
export function databasePath(home: string, environment: string): string {
  return join(home, `${environment}.db`)
}

export function holdsDatabase(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0
}

/**
 * Makes the file, readable by its owner only, unless it is there; SQLite gives its journal the same mode.
 * Refuses when only the journal is there: it holds commits of a file that was taken away. Refuses an empty file,
 * which is none of ours: a copy or a restore may have failed, and to begin anew would hide it. `expectNew` throws where
 * the file is known to have been there.
 */
export function makeDatabaseFile(path: string, expectNew: () => void): void {
  // Another process may make both meanwhile, the file first: so the journal is looked for first, and the file once.
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
  // It has its journal mode before it has its name, for changing it would disturb another process that opens it too.
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
