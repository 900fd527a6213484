import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { TransactionInput } from './new-transaction.js'

/** The payment that a refund's ledger entry names; nothing for a blind refund. Throws `InvalidAttributes`. */
export function refundedPayment({ ledger, amount }: TransactionInput): string | undefined {
  const [entry, ...more] = ledger ?? []
  if (!entry) return undefined
  if (more.length > 0) throw invalidAttributes({ ledger: { 1: 'A refund has one payment' } })
  if (typeof entry.assoc_transaction_id !== 'string') {
    throw invalidAttributes({ ledger: { 0: { assoc_transaction_id: 'Required' } } })
  }
  if (typeof entry.amount === 'number' && Math.abs(entry.amount) !== amount) {
    throw invalidAttributes({ ledger: { 0: { amount: 'Must be the amount of the refund' } } })
  }
  return entry.assoc_transaction_id
}
