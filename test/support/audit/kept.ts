import type { Tx } from '../../../src/engine/store/database/store.js'
import type {
  AccountRow,
  EventRow,
  InvoiceRow,
  LedgerRow,
  LineItemRow,
  OrgRow,
  PaymentMethodRow,
  PostingRow,
  ProcessingSettingsRow,
  TransactionRow,
} from '../../../src/engine/store/database/tables.js'

/** Everything that a database stores about money, from one consistent read. */
export interface Kept {
  readonly accounts: readonly AccountRow[]
  readonly settings: readonly ProcessingSettingsRow[]
  readonly methods: readonly PaymentMethodRow[]
  readonly transactions: readonly TransactionRow[]
  readonly entries: readonly LedgerRow[]
  readonly postings: readonly PostingRow[]
  readonly events: readonly EventRow[]
  readonly orgs: readonly OrgRow[]
  readonly invoices: readonly InvoiceRow[]
  readonly items: readonly LineItemRow[]
  /** Idempotency records without an answer. */
  readonly unanswered: number
}

/** Reads everything about money; ids ascend with time. */
export async function readKept({ db }: Tx): Promise<Kept> {
  const unanswered = await db
    .selectFrom('idempotency_records')
    .select('id')
    .where('status', 'is', null)
    .execute()
  return {
    accounts: await db.selectFrom('accounts').selectAll().orderBy('id').execute(),
    settings: await db.selectFrom('processing_settings').selectAll().orderBy('id').execute(),
    methods: await db.selectFrom('payment_methods').selectAll().orderBy('id').execute(),
    transactions: await db.selectFrom('transactions').selectAll().orderBy('id').execute(),
    entries: await db.selectFrom('transaction_ledgers').selectAll().orderBy('id').execute(),
    postings: await db.selectFrom('postings').selectAll().orderBy('id').execute(),
    events: await db.selectFrom('events').selectAll().orderBy('id').execute(),
    orgs: await db.selectFrom('orgs').selectAll().orderBy('id').execute(),
    invoices: await db.selectFrom('invoices').selectAll().orderBy('id').execute(),
    items: await db.selectFrom('line_items').selectAll().orderBy('id').execute(),
    unanswered: unanswered.length,
  }
}

/** Rows by a key, each group in the order the rows came. */
export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}
