import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createTable } from '../builder/table.js'

/** What operators see of gateways, merchants of processing accounts there, and what follows a restore. */
export const gatewayOperationMigration: Migration = async (tx) => {
  const text = tx.dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  for (const [table, column] of [
    ['admin_gateways', 'circuit_opened_at'],
    ['gateway_routes', 'merchant'],
    ['transactions', 'gateway_merchant'],
  ] as const)
    await tx.any.schema.alterTable(table).addColumn(column, text).execute()
  await createTable(tx, 'catch_ups', {
    id: 'text required',
    since: 'text required',
    restored_at: 'text required',
  })
}
