import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createIndex } from '../builder/table.js'

/** The exception whose loss a line of a settlement is, which is found by what the gateway calls it. */
export const explainedLinesMigration: Migration = async (tx) => {
  const text = tx.dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await tx.any.schema.alterTable('admin_settlement_lines').addColumn('exception_id', text).execute()
  await createIndex(tx, 'admin_settlement_lines', ['exception_id'], { sparse: true })
  await createIndex(tx, 'admin_exceptions', ['gateway_id'])
}
