import { sql } from 'kysely'
import { type ColumnSpec, type TableColumn, tableColumnsOf } from '../../../../schema/columns.js'
import { attributesOf, type Resource, tableNameOf } from '../../../../schema/resource.js'
import type { Tx } from '../../database/store.js'
import { type Constraints, createTable } from '../builder/table-builder.js'

/** Creates the table of a declaration with its columns, required values and constraints. */
export async function createResourceTable(tx: Tx, declaration: Resource): Promise<void> {
  const table = tableNameOf(declaration)
  const filled = new Set([...ALWAYS_FILLED, ...requiredIn(declaration), ...(FILLED_BY_SERVICE[table] ?? [])])
  const columns = Object.fromEntries(
    tableColumnsOf(declaration).map((column) => [column.name, specOf(column, filled)]),
  )
  await createTable(tx, table, columns, CONSTRAINTS[table])
}

const ALWAYS_FILLED = ['id', 'created_at', 'modified_at']

/** Required columns that the service fills, not clients. */
const FILLED_BY_SERVICE: { readonly [table: string]: readonly string[] } = {
  transaction_ledgers: ['amount', 'entry_type'],
}

const CONSTRAINTS: { readonly [table: string]: Constraints } = {
  accounts: { checks: { currency_check: sql`currency in ('USD')` } },
  transactions: {
    checks: {
      amount_above_zero: sql`amount > 0`,
      refundable: sql`coalesce(refunded, 0) >= 0 and coalesce(charged_back, 0) >= 0
        and coalesce(refunded, 0) + coalesce(charged_back, 0) <= amount`,
      allocatable: sql`coalesce(allocated, 0) >= 0 and coalesce(allocated, 0) <= amount`,
    },
  },
  transaction_ledgers: {
    checks: {
      amount_not_zero: sql`amount <> 0`,
      of_two: sql`transaction_id <> assoc_transaction_id`,
    },
    references: { transaction_id: 'transactions', assoc_transaction_id: 'transactions' },
  },
  invoices: {
    checks: {
      totals: sql`amount_due = total_due - total_paid`,
      not_overpaid: sql`total_paid >= 0 and total_paid <= total_due`,
      items: sql`item_count >= 0`,
    },
  },
  receipts: { clustered: true },
  admin_settlement_lines: { references: { settlement_id: 'admin_settlements' } },
}

/**
 * Columns of attributes that every object has. Secrets are excluded because they may be purged; groups
 * because they may be missing.
 */
function requiredIn(declaration: Resource): string[] {
  return Object.entries(attributesOf(declaration)).flatMap(([name, field]) =>
    field.required && !field.transient && field.kind !== 'group' && field.kind !== 'secret' ? [name] : [],
  )
}

function specOf({ name, type }: TableColumn, filled: ReadonlySet<string>): ColumnSpec {
  return filled.has(name) ? `${type} required` : type
}
