import type { Tx } from '../../database/store.js'

/** One step of the schema; runs on both databases, in the unit of work that also notes its name. */
export type Migration = (tx: Tx) => Promise<void>
