import type { Work } from '../../engine/core/write/work.js'
import { type Prepared, prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Decision } from '../ledger/decision.js'

/**
 * Makes the receipt of a payment, refund or credit that is processed now, for the customer's email address where there
 * is one. A statement of its own: every payment passes here, and what the engine does for rows is not needed.
 */
export async function writeReceipt(work: Work, row: TransactionRow, { changes }: Decision): Promise<void> {
  const { id: transactionId, customer_id: customerId } = row
  const type = receiptType(row.type)
  // A dispute that is won makes a payment processed once more, on the date that it was processed.
  if (type === null || changes.status !== 'processed' || !changes.processed_date) return
  await work.tx.change(insertReceipt, {
    id: work.newId('rcpt_'),
    transactionId,
    type,
    customerId,
    now: work.now,
  })
}

type ReceiptType = 'payment' | 'refund' | 'credit'

interface NewReceipt {
  readonly id: string
  readonly transactionId: string
  readonly type: ReceiptType
  readonly customerId: string | null
  readonly now: string
}

const insertReceipt: Prepared<NewReceipt, never> = prepared((db, param) =>
  db.insertInto('receipts').values({
    id: param('id'),
    transaction_id: param('transactionId'),
    type: param('type'),
    email: db.selectFrom('accounts').select('email').where('id', '=', param('customerId')),
    created_at: param('now'),
    modified_at: param('now'),
  }),
)

/** What kind of receipt a transaction has; nothing for what is between the merchant and the service. */
export function receiptType(type: TransactionRow['type']): ReceiptType | null {
  return type === 'payment' || type === 'refund' || type === 'credit' ? type : null
}
