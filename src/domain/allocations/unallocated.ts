import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'

type Payment = Pick<TransactionRow, 'status' | 'amount' | 'refunded' | 'charged_back' | 'allocated'>

/**
 * Amount of a payment that can pay invoices. For a processed payment it is the amount less refunds and chargebacks,
 * otherwise 0.
 */
function worthOf({ status, amount, refunded, charged_back: chargedBack }: Payment): Minor {
  return status === 'processed' ? (amount ?? 0) - (refunded ?? 0) - (chargedBack ?? 0) : 0
}

/** Amount of a payment that pays no invoice yet; below zero when its allocations exceed its worth. */
export function unallocated(payment: Payment): Minor {
  return worthOf(payment) - (payment.allocated ?? 0)
}
