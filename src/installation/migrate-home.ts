import type { Environment } from '../engine/store/database/store.js'
import {
  type PendingMigrations,
  pendingMigrations,
  takes,
} from '../engine/store/migrations/long-migration.js'
import { environments, openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'

/** A database of the home, and its pending migrations. */
export interface OlderDatabase extends PendingMigrations {
  readonly environment: Environment
  readonly place: string
}

/** Finds the databases that lack a migration, without any change. Throws a `StoreError`. */
export async function olderDatabases(
  options: Omit<StoreOptions, 'environment'>,
): Promise<readonly OlderDatabase[]> {
  const older: OlderDatabase[] = []
  for (const environment of environments) {
    const opened = await openAsIs({ ...options, environment })
    if (!opened) continue
    const { store, place } = opened
    try {
      const pending = await store.read(pendingMigrations)
      if (pending) older.push({ ...pending, environment, place })
    } finally {
      await store.close()
    }
  }
  return older
}

/** Pending migrations of a database, as the beginning of a sentence. */
export function describeOlder({ place, names, ...pending }: OlderDatabase): string {
  return `The database ${place} lacks ${names.length} ${names.length === 1 ? 'migration' : 'migrations'}, ${takes(pending)}`
}

/**
 * Brings a database to the newest schema, however long it takes. After a crash it is unchanged. Throws a
 * `StoreError`.
 */
export async function migrateHome(options: StoreOptions): Promise<void> {
  const store = await openStore({ ...options, migratesLong: true })
  await store.close()
}
