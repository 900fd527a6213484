import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { addColumns, createIndex, createTable } from '../builder/table.js'

/** What resolving an exception books, and what a gateway was asked to give back for it. */
export const resolvedExceptionsMigration: Migration = async (tx) => {
  await addColumns(tx, 'admin_exceptions', { pending_operation: 'text' })
  await createIndex(tx, 'admin_exceptions', ['pending_operation'], { sparse: true })
  await createTable(
    tx,
    'exception_postings',
    {
      id: 'text required',
      exception_id: 'text required',
      processing_id: 'text',
      currency: 'text required',
      from_account: 'text required',
      to_account: 'text required',
      amount: 'integer required',
      created_at: 'text required',
    },
    {
      checks: { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` },
      references: { exception_id: 'admin_exceptions' },
      clustered: true,
    },
  )
  await createIndex(tx, 'exception_postings', ['exception_id'])
}
