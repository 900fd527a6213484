import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'

type Payment = Pick<TransactionRow, 'status' | 'amount' | 'refunded' | 'charged_back' | 'allocated'>

/** What a payment is worth to invoices: its amount less what went back, once it is processed; nothing before and after. */
function worthOf({ status, amount, refunded, charged_back: chargedBack }: Payment): Minor {
  return status === 'processed' ? (amount ?? 0) - (refunded ?? 0) - (chargedBack ?? 0) : 0
}

/** What of a payment pays no invoice yet; below zero when its invoices have more of it than it is worth. */
export function unallocated(payment: Payment): Minor {
  return worthOf(payment) - (payment.allocated ?? 0)
}
