import type { Environment } from '../engine/store/database/store.js'
import { appliedMigrations, missingMigrations } from '../engine/store/migrations/migrate.js'
import { environments, openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'

/** Database of the home, with its pending migrations. */
export interface OlderDatabase {
  readonly environment: Environment
  readonly place: string
  readonly names: readonly string[]
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
      const applied = await store.read(appliedMigrations)
      const missing = missingMigrations(applied, place, options.migrations)
      if (applied.length > 0 && missing.length > 0)
        older.push({ environment, place, names: missing.map(({ name }) => name) })
    } finally {
      await store.close()
    }
  }
  return older
}

/** Pending migrations of a database, as the beginning of a sentence. */
export function describeOlder({ place, names }: OlderDatabase): string {
  return `The database ${place} lacks ${names.length} ${names.length === 1 ? 'migration' : 'migrations'}`
}

/**
 * Migrates a database to the newest schema, however long it takes. After a crash the database is unchanged. Throws a
 * `StoreError`.
 */
export async function migrateHome(options: StoreOptions): Promise<void> {
  const store = await openStore(options)
  await store.close()
}
