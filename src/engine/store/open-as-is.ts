import { existsSync } from 'node:fs'
import type { Store } from './database/store.js'
import { environments, type StoreOptions } from './open-store.js'
import { databasePath } from './sqlite/file.js'
import { SqliteStore } from './sqlite/store.js'

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
