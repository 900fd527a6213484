import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import { fileProblem, StoreError, type StoreProblem } from '../database/store-error.js'

/** Error of a file that was removed or replaced while open: further writes to it would be lost. */
export class FileGone extends Error {}

/** Minimum free bytes that SQLite requires beside a database, for the index of its write-ahead log. */
const MIN_FREE_BYTES = 64 * 1024

/**
 * Explains an error of SQLite or the file system as a `StoreError` that says how to proceed; returns other
 * errors unchanged.
 */
export function explainSqliteError(error: unknown, path: string): unknown {
  const storeError = (problem: StoreProblem, message: string) =>
    new StoreError(problem, message, { cause: error })
  switch (problemOf(error, path)) {
    case 'gone':
      return storeError('missing', `The database ${path} is gone; put the file back or restore a backup.`)
    case 'missing':
      return storeError(
        'missing',
        `There can be no database at ${path}; name a folder for it in PAYCTL_HOME.`,
      )
    case 'no_library':
      return storeError(
        'no_library',
        `SQLite's library is missing or does not fit this machine (${process.platform}-${process.arch}); install payctl anew on it.`,
      )
    case 'busy':
      return storeError(
        'busy',
        `The database ${path} is locked by another process; stop that process or try again.`,
      )
    case 'disk_full':
      return storeError('disk_full', `The disk that holds ${path} is full; free some space and try again.`)
    case 'read_only':
      return storeError(
        'read_only',
        `The database ${path} cannot be written; make the file and its folder writable.`,
      )
    case 'no_access':
      return storeError(
        'no_access',
        `The database ${path} cannot be opened; give this user access to it and its folder.`,
      )
    case 'corrupt':
      return storeError(
        'corrupt',
        `The file ${path} is damaged or no database of payctl; restore it from a backup.`,
      )
    case 'failing_disk':
      return storeError(
        'corrupt',
        `The disk that holds ${path} fails; check it and restore the database from a backup.`,
      )
    case undefined:
      return error
  }
}

function problemOf(error: unknown, path: string) {
  const code = codeOf(error) ?? ''
  if (error instanceof FileGone) return 'gone'
  if (code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') return 'no_library'
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'busy'
  if (code === 'SQLITE_FULL') return 'disk_full'
  if (/^SQLITE_READONLY/.test(code)) return 'read_only'
  if (/^SQLITE_(CORRUPT.*|NOTADB)$/.test(code)) return 'corrupt'
  if (/^SQLITE_(PERM|AUTH)$/.test(code)) return 'no_access'
  // SQLite does not say why a file cannot be opened or written, so its folder is examined.
  if (code.startsWith('SQLITE_CANTOPEN')) return existsSync(path) ? (problemAt(path) ?? 'no_access') : 'gone'
  if (code.startsWith('SQLITE_IOERR')) return problemAt(path) ?? 'failing_disk'
  return fileProblem(error)
}

function problemAt(path: string): 'read_only' | 'disk_full' | undefined {
  const folder = dirname(path)
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < MIN_FREE_BYTES ? 'disk_full' : undefined
  } catch (error) {
    return codeOf(error) === 'EROFS' ? 'read_only' : undefined
  }
}
