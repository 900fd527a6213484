import { existsSync } from 'node:fs'
import type { Random } from '../../platform/random.js'
import type { Environment, Store } from './database/store.js'
import { applied, isUpToDate, migrate } from './migrations/migrate.js'
import { databasePath } from './sqlite/file.js'
import { SqliteStore } from './sqlite/store.js'
import { keyFilePath, makeKeyFile, readKeyFile } from './vault/key-file.js'

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
}

/**
 * Opens an environment's database, made on first use and brought to the newest schema. The key file is looked at too,
 * so that a missing, exposed or damaged one is reported now and not with the first secret. Throws a
 * `StoreError` that says what to do.
 */
export async function openStore({ home, databaseUrl, environment, random }: StoreOptions): Promise<Store> {
  const makeKey = () => makeKeyFile(keyFilePath(home), random)
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite/open.js')
    return ready(openSqlite(home, environment, environments, makeKey), home)
  }
  const { openPostgres } = await import('./postgres/open.js')
  return ready(await openPostgres(databaseUrl, environment, environments, makeKey), home)
}

async function ready({ store, place }: { store: Store; place: string }, home: string): Promise<Store> {
  try {
    readKeyFile(keyFilePath(home))
    if (!isUpToDate(await store.read(applied), place)) await migrate(store, place)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
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
    const { openPostgres } = await import('./postgres/open.js')
    return await openPostgres(databaseUrl, environment, environments, () => undefined)
  }
  const place = databasePath(home, environment)
  return existsSync(place) ? { store: new SqliteStore(place), place } : undefined
}
