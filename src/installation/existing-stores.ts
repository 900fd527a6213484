import type { Environment, Store } from '../engine/store/database/store.js'
import { appliedMigrations } from '../engine/store/migrations/migrate.js'
import { environments, openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'

/** Open database of a home. */
export interface ExistingStore {
  readonly environment: Environment
  readonly store: Store
}

/**
 * Runs `work` with every existing database of the home, migrated to the newest schema. Throws a
 * `StoreError`.
 */
export async function withExistingStores<T>(
  options: Omit<StoreOptions, 'environment'>,
  work: (stores: readonly ExistingStore[]) => Promise<T>,
): Promise<T> {
  const opened: ExistingStore[] = []
  try {
    for (const environment of environments)
      if (await isThere({ ...options, environment }))
        opened.push({ environment, store: await openStore({ ...options, environment }) })
    return await work(opened)
  } finally {
    for (const { store } of opened) await store.close()
  }
}

async function isThere(options: StoreOptions): Promise<boolean> {
  const opened = await openAsIs(options)
  if (!opened) return false
  try {
    return (await opened.store.read(appliedMigrations)).length > 0
  } finally {
    await opened.store.close()
  }
}
