import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { addColumns, createIndex, createTable, resourceColumns } from '../builder/table.js'

/** Gateways that leave the machine, what they say of a transaction, and what of it does not fit. */
export const gatewaysMigration: Migration = async (tx) => {
  await addColumns(tx, 'transactions', {
    gateway_id: 'text',
    auth_code: 'text',
    cvv_result: 'text',
    network_id: 'text',
    gateway_code: 'text',
  })
  await addColumns(tx, 'payment_methods', {
    token_gateway: 'text',
    sealed_token: 'text',
    network_id: 'text',
  })
  await addColumns(tx, 'transactions', { approved_amount: 'integer', excess: 'integer', disputed_id: 'text' })
  await createIndex(tx, 'transactions', ['gateway_id'], { sparse: true })
  await createIndex(tx, 'transactions', ['disputed_id'], { sparse: true })

  await createTable(tx, 'admin_gateways', {
    ...resourceColumns,
    name: 'text required',
    kind: 'text required',
    base_url: 'text',
    merchant: 'text',
    numbers: 'text',
    status: 'text',
    problem: 'text',
    account: 'text',
    checked_at: 'text',
    sealed_credentials: 'text',
    notifications_cursor: 'text',
    settlements_cursor: 'text',
  })
  await createIndex(tx, 'admin_gateways', ['created_at', 'id'])
  await createIndex(tx, 'admin_gateways', ['name'], { unique: true, where: sql<boolean>`deleted_at is null` })
  await createTable(
    tx,
    'gateway_routes',
    {
      id: 'text required',
      gateway_id: 'text required',
      method: 'text',
      processing_id: 'text',
      created_at: 'text required',
    },
    { references: { gateway_id: 'admin_gateways' } },
  )
  await createTable(tx, 'admin_exceptions', {
    ...resourceColumns,
    kind: 'text',
    status: 'text',
    transaction_id: 'text',
    processing_id: 'text',
    gateway: 'text',
    gateway_id: 'text',
    amount: 'integer',
    explanation: 'text',
    resolutions: 'text',
    notice: 'text',
    resolution: 'text',
    reason: 'text',
    resolved_at: 'text',
    about: 'text',
  })
  await createIndex(tx, 'admin_exceptions', ['created_at', 'id'])
  await createIndex(tx, 'admin_exceptions', ['status', 'created_at'])
  await createIndex(tx, 'admin_exceptions', ['transaction_id'], { sparse: true })
  await createIndex(tx, 'admin_exceptions', ['about'], { unique: true })
}
