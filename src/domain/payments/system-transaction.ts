import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { NOTHING_MOVED } from './described-transaction.js'
import { refNumber } from './ref-number.js'

/** What is known of a transaction that no client asks for, before it is decided. */
export type SystemTransactionColumns = Partial<TransactionRow> &
  Pick<TransactionRow, 'type' | 'amount' | 'processing_id'>

/** The row of a transaction that follows from others: a deposit, a reversal, a chargeback. */
export function systemTransaction(work: Work, given: SystemTransactionColumns): TransactionRow {
  const row = work.blank('transaction')
  return {
    ...row,
    ref_number: refNumber(row.id),
    ...NOTHING_MOVED,
    ...given,
  }
}

/** Whom a transaction concerns that follows from a payment. */
export function partiesOf({
  processing_id,
  customer_id,
  payment_method_id,
}: TransactionRow): Pick<TransactionRow, 'processing_id' | 'customer_id' | 'payment_method_id'> {
  return { processing_id, customer_id, payment_method_id }
}
