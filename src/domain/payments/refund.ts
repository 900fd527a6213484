import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { Decision } from '../ledger/decision.js'
import { contraEntries } from '../ledger/entries.js'
import { payoutPostings } from '../ledger/postings.js'
import { busy } from '../ledger/refusals.js'
import type { Transaction } from '../ledger/stored-transaction.js'

type Balance = Pick<Transaction, 'amount' | 'refunded' | 'chargedBack'>

/** What is left of a payment to be refunded. */
export function refundable({ amount, refunded, chargedBack }: Balance): Minor {
  return amount - refunded - chargedBack
}

/** Why a refund of `requested` minor units does not fit a payment; nothing when it does. Money: "Refunds, voids, disputes". */
export function refundRefusal(payment: Transaction, requested: Minor): ApiError | undefined {
  if (payment.type !== 'payment')
    return refuseParent(`Only a payment can be refunded, this is a ${payment.type}`)
  if (payment.status === 'authorized')
    return refuseParent('An authorized payment is not refunded: void it instead')
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status !== 'processed')
    return refuseParent(`Only a processed payment can be refunded, this is ${payment.status}`)
  const left = refundable(payment)
  if (requested > left)
    return invalidAttributes({ amount: `Exceeds refundable balance of ${formatMoney(left)}` })
  return undefined
}

/** What a processed refund changes on its payment, whose balance it has reserved before. */
export function settledPayment(payment: Pick<Transaction, 'amount' | 'refunded'>): Decision['changes'] {
  const isAll = payment.refunded >= payment.amount
  return isAll ? { funding_status: 'refunded', open_operation: null } : { open_operation: null }
}

/** What a refund that failed gives back to its payment. */
export function releasedPayment(payment: Pick<Transaction, 'refunded'>, amount: Minor): Decision['changes'] {
  return { refunded: payment.refunded - amount, open_operation: null }
}

/** What an approved refund amounts to, on the refund itself. */
export function decideRefund(
  payment: Transaction,
  refund: Pick<Transaction, 'id' | 'amount'>,
  today: string,
): Decision {
  return {
    changes: { status: 'processed', status_code: 'approved', processed_date: today, open_operation: null },
    entries: contraEntries(payment, { id: refund.id, type: 'refund' }, refund.amount),
    postings: payoutPostings(refund.amount),
    events: ['refund'],
  }
}

function refuseParent(message: string): ApiError {
  return invalidAttributes({ ledger: { 0: { assoc_transaction_id: message } } })
}
