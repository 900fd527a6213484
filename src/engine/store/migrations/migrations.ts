import type { Tx } from '../database/store.js'

/** One step of the schema. */
export interface Migration {
  /** Number for the order, and a description. A released name never changes. */
  readonly name: string
  /** Loads the step. It runs on both databases, in the unit of work that also records its name. */
  load(): Promise<(tx: Tx) => Promise<void>>
}

/**
 * All migrations, in the order in which they are applied. Until the first release, the first one is edited
 * in place. Its name ends with a digest of its schema, so that a database with another layout is
 * recognized.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001_first_61cdfd57',
    load: async () => (await import('./0001-first/first-migration.js')).firstMigration,
  },
]
