import { sql } from 'kysely'
import { serviceTables } from '../../../../resources/service-tables.js'
import type { Tx } from '../../database/store.js'
import { type Constraints, createTable } from '../builder/table-builder.js'

/** Creates the tables that no resource declares. */
export async function createServiceTables(tx: Tx): Promise<void> {
  for (const [table, { columns }] of Object.entries(serviceTables))
    await createTable(tx, table, columns, CONSTRAINTS[table])
}

/** Constraints of postings: an amount above zero, and two different accounts. */
const JOURNAL_CHECKS = { amount_above_zero: sql`amount > 0`, of_two: sql`from_account <> to_account` }

const CONSTRAINTS: { readonly [table: string]: Constraints } = {
  postings: { checks: JOURNAL_CHECKS, references: { transaction_id: 'transactions' }, clustered: true },
  exception_postings: {
    checks: JOURNAL_CHECKS,
    references: { exception_id: 'admin_exceptions' },
    clustered: true,
  },
  settlement_postings: {
    checks: JOURNAL_CHECKS,
    references: { settlement_line_id: 'admin_settlement_lines' },
    clustered: true,
  },
  events: { clustered: true },
  deliveries: { clustered: true },
  batch_rows: { references: { batch_id: 'batches' } },
  oauth_tokens: { references: { grant_id: 'admin_oauth_grants' } },
  gateway_routes: { references: { gateway_id: 'admin_gateways' } },
  gateway_circuits: { references: { gateway_id: 'admin_gateways' } },
}
