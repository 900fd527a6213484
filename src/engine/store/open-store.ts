import { existsSync } from 'node:fs'
import { type Clock, systemClock, systemTimers, type Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import { headPath, makeHead } from './books/head-file.js'
import { type KeyedHash, sealedSoFar } from './books/seal-log.js'
import { SealedBooks } from './books/sealed-books.js'
import type { Environment, Store } from './database/store.js'
import { appliedMigrations, migrate, missingMigrations } from './migrations/migrate.js'
import type { Migration } from './migrations/migrations.js'
import { databasePath } from './sqlite/database-file.js'
import { SqliteStore } from './sqlite/sqlite-store.js'
import { keyFilePath, makeKeyFile, readKeyFile } from './vault/key-file.js'
import { type KnownKey, knownKeys, recognizeKeys } from './vault/known-keys.js'
import { openVault } from './vault/vault.js'

export const environments: readonly Environment[] = ['test', 'live']

export interface StoreOptions {
  /** Folder for database files and the key file. */
  readonly home: string
  /** `postgres://…`; SQLite in the home folder unless given. */
  readonly databaseUrl?: string | undefined
  /** Each has a database of its own: a file, or a schema on PostgreSQL. */
  readonly environment: Environment
  /** For the keys that are made together with the first database. */
  readonly random: Random
  /** The real time; this machine's unless given. */
  readonly clock?: Clock
  readonly timers?: Timers
  /** Whether the books are taken as they are, whatever their head says. */
  readonly acceptsBooks?: boolean
  /** The migrations that make the schema; this version's unless given. */
  readonly migrations?: readonly Migration[]
  /** Receives why what is committed could not be sealed, signed or noted in the head file yet. */
  readonly reportBooks?: (error: unknown) => void
}

/**
 * Opens an environment's database, made on first use and brought to the newest schema. The key file is looked at too,
 * so that one that is missing, exposed, damaged or of another home is reported now and not with the first secret. Throws
 * a `StoreError` that says what to do.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { home, databaseUrl, environment, random } = options
  const { clock = systemClock, timers = systemTimers, reportBooks = () => undefined } = options
  const keyed: KeyedHash = openVault(home, random).hash
  const books = new SealedBooks({
    home,
    environment,
    keyed,
    clock,
    timers,
    accepts: options.acceptsBooks === true,
    report: reportBooks,
  })
  const makeKey = () => makeKeyFile(keyFilePath(home), random)
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite/open-sqlite.js')
    return ready(openSqlite(home, environment, environments, makeKey, books), options)
  }
  const { openPostgres } = await import('./postgres/open-postgres.js')
  return ready(await openPostgres(databaseUrl, environment, environments, makeKey, books), options)
}

async function ready(
  { store, place }: { store: Store; place: string },
  options: StoreOptions,
): Promise<Store> {
  try {
    const path = keyFilePath(options.home)
    const keyring = readKeyFile(path)
    const missing = missingMigrations(await store.read(appliedMigrations), place, options.migrations)
    if (missing.length > 0) {
      // Of books that were sealed before, a head file that is missing is a finding.
      if ((await store.read(sealedSoFar)).number === 0) makeHead(headPath(options.home, options.environment))
      await migrate(store, place, options.migrations)
    }
    await recognizeKeys(store, { keyring, path, place, neighbours: () => neighboursKeys(options) })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** What the other environments of a home know of its keys. */
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
 * An environment's database as it is: nothing is made and no schema is changed, so that it can be looked at. Nothing
 * where SQLite has no file yet. Throws a `StoreError`.
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
