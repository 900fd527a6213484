import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { addColumns, createIndex, createTable, resourceColumns } from '../builder/table.js'

/** What gateways have settled and paid out, line by line, and what of it is in the journal. */
export const settlementsMigration: Migration = async (tx) => {
  await addColumns(tx, 'transactions', { settlement_id: 'text' })
  await addColumns(tx, 'admin_gateways', {
    settlements_due_at: 'text',
    settlements_problem: 'text',
    settlements_compared_until: 'text',
  })
  await createTable(tx, 'admin_settlements', {
    ...resourceColumns,
    gateway: 'text',
    gateway_id: 'text',
    merchant: 'text',
    currency: 'text',
    gross: 'integer',
    fees: 'integer',
    net: 'integer',
    settled_at: 'text',
    status: 'text',
    line_count: 'integer',
  })
  await createIndex(tx, 'admin_settlements', ['created_at', 'id'])
  await createIndex(tx, 'admin_settlements', ['gateway_id', 'gateway'], { unique: true })
  await createIndex(tx, 'admin_settlements', ['gateway', 'settled_at'])
  await createTable(
    tx,
    'admin_settlement_lines',
    {
      ...resourceColumns,
      settlement_id: 'text',
      gateway: 'text',
      line_id: 'text',
      kind: 'text',
      status: 'text',
      transaction_id: 'text',
      processing_id: 'text',
      reference: 'text',
      gateway_id: 'text',
      parent_id: 'text',
      amount: 'integer',
      fee: 'integer',
      difference: 'integer',
      booked: 'text',
      payout_id: 'text',
    },
    { references: { settlement_id: 'admin_settlements' } },
  )
  await createIndex(tx, 'admin_settlement_lines', ['created_at', 'id'])
  await createIndex(tx, 'admin_settlement_lines', ['settlement_id', 'line_id', 'kind'], { unique: true })
  await createIndex(tx, 'admin_settlement_lines', ['line_id'])
  await createIndex(tx, 'admin_settlement_lines', ['transaction_id'], { sparse: true })
  await createIndex(tx, 'admin_settlement_lines', ['payout_id'], { sparse: true })
  await createIndex(tx, 'admin_settlement_lines', ['status', 'gateway'])
  await createTable(
    tx,
    'settlement_postings',
    {
      id: 'text required',
      settlement_line_id: 'text required',
      processing_id: 'text',
      currency: 'text required',
      from_account: 'text required',
      to_account: 'text required',
      amount: 'integer required',
      created_at: 'text required',
    },
    {
      checks: { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` },
      references: { settlement_line_id: 'admin_settlement_lines' },
      clustered: true,
    },
  )
  await createIndex(tx, 'settlement_postings', ['settlement_line_id'])
}
