import { sealAll } from '../../books/seal-all.js'
import { sealedTables } from '../../books/sealed-table.js'
import type { Migration } from '../builder/migration.js'

/** What is sealed since: receipts and kept answers, which the first seals left out. */
const TABLES: readonly string[] = ['receipts', 'idempotency_records']

export const moreSealsMigration: Migration = async (tx, keyed) => {
  await sealAll(
    tx,
    keyed,
    [...sealedTables().values()].filter(({ table }) => TABLES.includes(table)),
  )
}
