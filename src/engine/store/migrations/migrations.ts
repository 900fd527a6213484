import type { Tx } from '../database/store.js'

/** One step of the schema. */
export interface Migration {
  /** A number that orders it, and what it does. A released name never changes. */
  readonly name: string
  /** Loads the step, which runs on both databases in the unit of work that also notes its name. */
  load(): Promise<(tx: Tx) => Promise<void>>
}

/**
 * Every migration, in the order in which they are applied. Until the first release the first one is edited in place: its
 * name ends with a digest of the schema that it makes, so that a database of another layout is recognized.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001_first_5ccdb015',
    load: async () => (await import('./0001-first/first-migration.js')).firstMigration,
  },
]
