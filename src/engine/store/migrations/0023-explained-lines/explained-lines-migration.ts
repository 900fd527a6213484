import type { Migration } from '../builder/migration.js'
import { addColumns, createIndex } from '../builder/table.js'

/** The exception whose loss a line of a settlement is, which is found by what the gateway calls it. */
export const explainedLinesMigration: Migration = async (tx) => {
  await addColumns(tx, 'admin_settlement_lines', { exception_id: 'text' })
  await createIndex(tx, 'admin_settlement_lines', ['exception_id'], { sparse: true })
  await createIndex(tx, 'admin_exceptions', ['gateway_id'])
}
