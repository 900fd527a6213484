import type { Tx } from '../database/store.js'

/** One step of the schema. */
export interface Migration {
  /** Number for the order, a description, and a digest of the schema after the step. A released name never changes. */
  readonly name: string
  /** Loads the step. It runs on both databases, in the unit of work that also records its name. */
  load(): Promise<(tx: Tx) => Promise<void>>
}

/** Loads the step that creates the schema of this version. */
export const loadSchema: Migration['load'] = async () =>
  (await import('./whole-schema/create-schema.js')).createSchema

/**
 * All migrations, in the order in which they are applied. A new database gets the schema of this version and the names
 * of all of them; an older one gets the steps that it lacks. So a change of the schema is a change of the declarations
 * and one more step here.
 */
export const migrations: readonly Migration[] = [{ name: '0001_first_61cdfd57', load: loadSchema }]
