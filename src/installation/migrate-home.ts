import type { Environment } from '../engine/store/database/store.js'
import { appliedMigrations, missingMigrations } from '../engine/store/migrations/migrate.js'
import { environments, openAsIs, openStore, type StoreOptions } from '../engine/store/open-store.js'

/** A database of the home, and the names of the migrations that it lacks. */
export interface OlderDatabase {
  readonly environment: Environment
  readonly place: string
  readonly names: readonly string[]
}

/** The databases that lack a migration, as they are: none is changed. Throws a `StoreError`. */
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

/** A sentence without its end: `The database … lacks 2 migrations`. */
export function describeOlder({ place, names }: OlderDatabase): string {
  return `The database ${place} lacks ${names.length} ${names.length === 1 ? 'migration' : 'migrations'}`
}

/** Brings a database to the newest schema; after a crash nothing was changed. Throws a `StoreError`. */
export async function migrateHome(options: StoreOptions): Promise<void> {
  const store = await openStore(options)
  await store.close()
}
