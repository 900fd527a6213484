import { booksDiffer } from './books/compare-head.js'
import { headPath, readHead } from './books/head-file.js'
import type { Environment } from './database/store.js'
import { StoreError } from './database/store-error.js'
import { databaseLocation } from './postgres/database-location.js'
import { databasePath } from './sqlite/database-file.js'
import { keyFilePath, readKeyFile } from './vault/key-file.js'

/** Database of an environment, as the settings name it. */
interface NamedDatabase {
  readonly home: string
  /** Address `postgres://…`; without it SQLite in the home folder. */
  readonly databaseUrl?: string | undefined
  readonly environment: Environment
}

/**
 * Problem of a database without books, if the key file or the head file of its home knows books; undefined if
 * neither does. Throws a `StoreError` for an unusable key file.
 */
export function goneBooks(database: NamedDatabase): string | undefined {
  const { home, environment } = database
  if (logs(home)?.has(environment)) return goneProblem(database, KEY_FILE)
  const path = headPath(home, environment)
  return (readHead(path)?.number ?? 0) > 0 ? goneProblem(database, `its head file ${path}`) : undefined
}

const KEY_FILE = 'the key file'

/** Error for a database without books, although the key file knows them. */
export function goneError(database: NamedDatabase): StoreError {
  const { environment, databaseUrl } = database
  const dialect = databaseUrl === undefined ? 'sqlite' : 'postgres'
  return booksDiffer(goneProblem(database, KEY_FILE), environment, dialect)
}

/** Names the database and both causes, because a wrong address looks like a loss. */
function goneProblem({ home, databaseUrl, environment }: NamedDatabase, witness: string): string {
  const [place, elsewhere] =
    databaseUrl === undefined
      ? [
          `the SQLite file ${databasePath(home, environment)}`,
          'If this home belongs to a PostgreSQL database, its address is missing: set PAYCTL_DATABASE_URL',
        ]
      : [
          `PostgreSQL at ${databaseLocation(databaseUrl)}`,
          'If this home belongs to another database, correct PAYCTL_DATABASE_URL, or unset it for SQLite',
        ]
  return `The books of ${environment} are gone: ${witness} knows them, and ${place} does not hold them. ${elsewhere}. Otherwise the database was lost or replaced`
}

/** Identities of the logs in the key file; undefined without a key file. */
function logs(home: string): ReadonlyMap<string, string> | undefined {
  try {
    return readKeyFile(keyFilePath(home)).logs
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'key_missing') return undefined
    throw error
  }
}
