import type { Work } from '../../../engine/core/write/work.js'
import { type Prepared, prepared } from '../../../engine/store/database/prepared.js'
import type { AccountRow, ReceiptRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { idAlike } from '../../../schema/id-time.js'
import { statusMessage } from '../../../schema/status-codes.js'
import { followPayment } from '../../allocations/follow-payment.js'
import type { Decision } from '../../ledger/decision.js'
import type { LedgerEntry } from '../../ledger/ledger-entry.js'
import { type PostingIds, writePostings } from '../../ledger/write-postings.js'
import { linkForDeclined } from '../parties/link-for-failed.js'
import { settleLink } from '../parties/pay-through-link.js'

/**
 * Inserts a new transaction with its decision, and writes all consequences with the system's permissions. `customer`
 * saves a read if the caller has read it before.
 */
export async function insertDecided(
  work: Work,
  row: TransactionRow,
  decision: Decision,
  customer?: AccountRow,
): Promise<TransactionRow> {
  const decided = { ...row, ...columnsOf(decision) }
  await work.insert(resources.transaction, decided)
  await work.asSystem(() => persistRest(work, decided, decision, 'own', customer))
  return decided
}

/**
 * Changes a stored transaction and writes all consequences of the decision, with the system's permissions. Returns the
 * new row.
 */
export async function changeDecided(
  work: Work,
  row: TransactionRow,
  decision: Decision,
): Promise<TransactionRow> {
  return await work.asSystem(async () => {
    const isOver = row.next_action__expires_at !== null && decision.changes.status !== undefined
    const decided = await work.change(resources.transaction, row.id, {
      ...columnsOf(decision),
      ...(isOver && { next_action__expires_at: null }),
    })
    await persistRest(work, decided, decision, 'new')
    const followed = await followPayment(work, row, decided)
    await linkForDeclined(work, followed)
    return followed
  })
}

function columnsOf({ changes }: Decision): Partial<TransactionRow> {
  const { status_code: code } = changes
  return code === undefined ? changes : { status_message: statusMessage(code), ...changes }
}

async function persistRest(
  work: Work,
  row: TransactionRow,
  decision: Decision,
  ids: PostingIds,
  customer?: AccountRow,
): Promise<void> {
  const { changes, entries, postings, events } = decision
  for (const entry of entries) await writeEntry(work, entry)
  await writePostings(work, 'transaction', row, postings, ids)
  await writeReceipt(work, row, decision, customer)
  if (changes.status !== undefined) await settleLink(work, row)
  for (const trigger of events) {
    work.emit({
      trigger,
      object: resources.transaction,
      id: row.id,
      value: row.status,
      processingId: row.processing_id,
    })
  }
}

async function writeEntry(work: Work, entry: LedgerEntry): Promise<void> {
  await work.insert(resources.transaction_ledger, {
    ...work.blank(resources.transaction_ledger),
    transaction_id: entry.transactionId,
    assoc_transaction_id: entry.assocTransactionId,
    entry_type: entry.entryType,
    amount: entry.amount,
    timestamp: work.now,
  })
}

/**
 * Makes the receipt of a payment, refund or credit that is processed now, for the customer's email address if there is
 * one. Its id is derived from the transaction's, so that there can be only one. Prepared statements write it, without
 * the engine's generic insert, because every payment has a receipt.
 */
async function writeReceipt(
  work: Work,
  row: TransactionRow,
  { changes }: Decision,
  customer: AccountRow | undefined,
): Promise<void> {
  const { id: transactionId, customer_id: customerId } = row
  const type = receiptType(row.type)
  // A payment is processed again when its dispute is won. Its date does not change then, and it gets no second receipt.
  if (type === null || changes.status !== 'processed' || !changes.processed_date) return
  const receipt = { id: idAlike(PREFIX, transactionId), transactionId, type, now: work.now }
  const known = customer?.id === customerId ? customer : undefined
  if (customerId === null || known)
    await work.tx.change(insertReceipt, { email: known?.email ?? null, ...receipt })
  else await work.tx.change(insertReceiptForCustomer, { customerId, ...receipt })
}

const PREFIX = resources.receipt.prefix

type ReceiptType = 'payment' | 'refund' | 'credit'

interface NewReceipt {
  readonly id: string
  readonly transactionId: string
  readonly type: ReceiptType
  readonly now: string
}

const insertReceipt: Prepared<NewReceipt & Pick<ReceiptRow, 'email'>, never> = prepared((db, param) =>
  db.insertInto('receipts').values({
    id: param('id'),
    transaction_id: param('transactionId'),
    type: param('type'),
    email: param('email'),
    created_at: param('now'),
    modified_at: param('now'),
  }),
)

type NewCustomersReceipt = NewReceipt & { readonly customerId: string }

const insertReceiptForCustomer: Prepared<NewCustomersReceipt, never> = prepared((db, param) =>
  db.insertInto('receipts').values({
    id: param('id'),
    transaction_id: param('transactionId'),
    type: param('type'),
    email: db.selectFrom('accounts').select('email').where('id', '=', param('customerId')),
    created_at: param('now'),
    modified_at: param('now'),
  }),
)

/** Type of a transaction's receipt; null for transactions between the merchant and the service. */
export function receiptType(type: TransactionRow['type']): ReceiptType | null {
  return type === 'payment' || type === 'refund' || type === 'credit' ? type : null
}
