import type { Migration } from '../builder/migration.js'
import { addColumns, createTable } from '../builder/table.js'

/** What operators see of gateways, merchants of processing accounts there, and what follows a restore. */
export const gatewayOperationMigration: Migration = async (tx) => {
  await addColumns(tx, 'admin_gateways', { circuit_opened_at: 'text' })
  await addColumns(tx, 'gateway_routes', { merchant: 'text' })
  await addColumns(tx, 'transactions', { gateway_merchant: 'text' })
  await createTable(tx, 'catch_ups', {
    id: 'text required',
    since: 'text required',
    restored_at: 'text required',
  })
}
