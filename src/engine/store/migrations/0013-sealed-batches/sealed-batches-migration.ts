import { sealAll } from '../../books/seal-all.js'
import { sealedTables } from '../../books/sealed-table.js'
import type { Migration } from '../builder/migration.js'

/** Batches, and what became of their rows, are sealed since. */
const TABLES: readonly string[] = ['batches', 'batch_rows']

export const sealedBatchesMigration: Migration = async (tx, keyed) => {
  await sealAll(
    tx,
    keyed,
    [...sealedTables().values()].filter(({ table }) => TABLES.includes(table)),
  )
}
