import { existsSync } from 'node:fs'
import { type Clock, systemClock, systemTimers, type Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import { headPath, makeHead } from './books/head-file.js'
import type { LogIdentity } from './books/log-identity.js'
import { sealedSoFar } from './books/seal-log.js'
import { SealedBooks } from './books/sealed-books.js'
import type { Environment, Store } from './database/store.js'
import { StoreError } from './database/store-error.js'
import { goneError } from './gone-books.js'
import { appliedMigrations, expectRecorded, migrate, missingMigrations } from './migrations/migrate.js'
import type { Migration } from './migrations/migrations.js'
import { databasePath } from './sqlite/database-file.js'
import { SqliteStore } from './sqlite/sqlite-store.js'
import { changeKeyFile, keyFilePath, makeKeyFile, readKeyFile } from './vault/key-file.js'
import { withLog } from './vault/keyring.js'
import { expectKnownKeys, type KnownKey, knownKeys, recognizeKeys } from './vault/known-keys.js'
import { openVault } from './vault/vault.js'

export const environments: readonly Environment[] = ['test', 'live']

export interface StoreOptions {
  /** Folder for database files and the key file. */
  readonly home: string
  /** Address `postgres://…`; without it SQLite in the home folder. */
  readonly databaseUrl?: string | undefined
  /** Environment, which has a separate database: a file, or a schema on PostgreSQL. */
  readonly environment: Environment
  /** Random source for the keys that are made with the first database. */
  readonly random: Random
  /** Real time; by default that of this machine. */
  readonly clock?: Clock
  readonly timers?: Timers
  /** Whether the books are accepted as they are, even if the head file disagrees. */
  readonly acceptsBooks?: boolean
  /** Migrations that make the schema; by default those of this version. */
  readonly migrations?: readonly Migration[]
  /** Called with reasons why committed data could not yet be sealed, signed or noted in the head file. */
  readonly reportBooks?: (error: unknown) => void
}

/**
 * Opens an environment's database. It is created on first use and migrated to the newest schema. The key
 * file is checked too, so that a missing, exposed, damaged or foreign one is reported now, not with the
 * first secret. Throws a `StoreError` that says how to proceed.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, databaseUrl, environment, random } = options
  const { clock = systemClock, timers = systemTimers, reportBooks = () => undefined } = options
  const vault = openVault(home, random)
  const identity = identityIn(home, environment, () => vault.logOf(environment))
  const books = new SealedBooks({
    home,
    environment,
    keyed: vault.hash,
    identity,
    clock,
    timers,
    accepts: options.acceptsBooks === true,
    report: reportBooks,
  })
  const makeKey = () => makeKeyFile(keyFilePath(home), random)
  // Read before the database is opened, because another process may be creating it now.
  const hasBegun = existsSync(keyFilePath(home)) && identity.known() !== undefined
  const expectNew = () => {
    if (options.acceptsBooks !== true && hasBegun) throw goneError(options)
  }
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite/open-sqlite.js')
    const first = { makeKey, expectNew }
    return ready(openSqlite(home, environment, environments, first, books), options, expectNew)
  }
  const { openPostgres } = await import('./postgres/open-postgres.js')
  const opened = await openPostgres(databaseUrl, environment, environments, makeKey, books)
  return ready(opened, options, expectNew)
}

/** Identity of an environment's log in the key file of a home. */
function identityIn(home: string, environment: Environment, known: LogIdentity['known']): LogIdentity {
  const path = keyFilePath(home)
  return {
    known,
    note(first) {
      changeKeyFile(path, (keys) => (keys.logs.has(environment) ? keys : withLog(keys, environment, first)))
    },
    replace(first) {
      changeKeyFile(path, (keys) => withLog(keys, environment, first))
    },
  }
}

async function ready(
  { store, place }: { store: Store; place: string },
  options: StoreOptions,
  expectNew: () => void,
): Promise<Store> {
  try {
    const path = keyFilePath(options.home)
    const keyring = readKeyFile(path)
    const applied = await appliedIn(store, place)
    const missing = missingMigrations(applied, place, options.migrations)
    if (applied.length === 0) expectNew()
    if (missing.length > 0) {
      // If the books were sealed before, a missing head file must stay missing, because it is a problem to
      // report.
      if ((await store.read(sealedSoFar)).number === 0) makeHead(headPath(options.home, options.environment))
      await migrate(store, place, options.migrations)
    }
    await recognizeKeys(store, {
      keyring,
      path,
      place,
      random: options.random,
      neighbours: () => neighboursKeys(options),
    })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Applied migrations of a database. Throws a `StoreError` if its tables do not match them. */
async function appliedIn(store: Store, place: string): Promise<readonly string[]> {
  return await store.read(async (tx) => {
    const applied = await appliedMigrations(tx)
    await expectRecorded(tx, applied, place)
    return applied
  })
}

/** Keys that the databases of the home's other environments have recorded. */
async function neighboursKeys({ environment, ...options }: StoreOptions): Promise<readonly KnownKey[]> {
  const known: KnownKey[] = []
  for (const other of environments.filter((each) => each !== environment)) {
    const opened = await openAsIs({ ...options, environment: other })
    if (!opened) continue
    const { store, place } = opened
    try {
      known.push(...(await store.read(knownKeys)).map((row) => ({ ...row, place })))
    } finally {
      await store.close()
    }
  }
  return known
}

/**
 * Opens an environment's database as it is, for inspection: no file is made and no schema is changed.
 * Undefined if SQLite has no file yet. Throws a `StoreError`.
 */
export async function openAsIs({
  home,
  databaseUrl,
  environment,
}: Omit<StoreOptions, 'random'>): Promise<{ store: Store; place: string } | undefined> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/open-postgres.js')
    return await openPostgres(databaseUrl, environment, environments, () => undefined)
  }
  const place = databasePath(home, environment)
  return existsSync(place) ? { store: new SqliteStore(place), place } : undefined
}

/**
 * Opens an environment's database for examination: no file is made, no schema is changed and no change is
 * sealed. Undefined if there is none. Throws a `StoreError` unless it has the newest schema and its keys
 * are those of the home.
 */
export async function openToExamine(options: Omit<StoreOptions, 'random'>): Promise<Store | undefined> {
  const opened = await openAsIs(options)
  if (!opened) return undefined
  const { store, place } = opened
  try {
    const path = keyFilePath(options.home)
    const applied = await appliedIn(store, place)
    const [older] = missingMigrations(applied, place, options.migrations)
    if (applied.length === 0) {
      await store.close()
      return undefined
    }
    if (older)
      throw new StoreError('older_version', `The database ${place} lacks ${older.name}: run payctl migrate.`)
    expectKnownKeys({ keyring: readKeyFile(path), path, place }, await store.read(knownKeys))
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens an environment's database for examination. Throws a `StoreError` if there is none. */
export async function openExisting(options: Omit<StoreOptions, 'random'>): Promise<Store> {
  const store = await openToExamine(options)
  if (store) return store
  throw new StoreError('missing', `There is no database of ${options.environment} in ${options.home}.`)
}
