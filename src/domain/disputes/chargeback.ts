import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { Decision } from '../ledger/decision.js'
import { contraEntries } from '../ledger/entries.js'
import { chargebackPostings } from '../ledger/postings.js'
import { busy } from '../ledger/refusals.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import { refundable } from '../payments/refund.js'

/** A part of a payment that the payer's bank takes back. Amounts in minor units. */
export interface Chargeback {
  readonly id: string
  readonly amount: Minor
  /** Why: `chargeback`, or the code of a bank return. */
  readonly statusCode: string
  /** What the merchant is charged for it, out of the next deposit ... */
  readonly fee: Minor
  /** ... or with the month's bill. */
  readonly accruedFee: Minor
}

/** What follows from a dispute, for the transaction that records it and for its payment. */
export interface DisputeDecision {
  readonly own: Decision
  readonly payment: Decision
}

/** Why a chargeback of `asked` minor units does not fit a payment; nothing when it does. Money: "Refunds, voids, disputes". */
export function chargebackRefusal(payment: Transaction, asked: Minor): ApiError | undefined {
  if (payment.type !== 'payment')
    return refuse(`Only a payment can be charged back, this is a ${payment.type}`)
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status !== 'processed')
    return refuse(`Only a processed payment can be charged back, this is ${payment.status}`)
  const left = refundable(payment)
  if (asked > left) return invalidAttributes({ amount: `Exceeds refundable balance of ${formatMoney(left)}` })
  return undefined
}

function refuse(message: string): ApiError {
  return invalidAttributes({ transaction_id: message })
}

/**
 * What a chargeback or bank return changes on a payment, whose `chargedBack` counts it already. When nothing of the
 * payment remains it is rejected, and the convenience fee is lost: it comes out of fee income.
 */
export function decideChargeback(
  payment: Transaction,
  { id, amount, statusCode, fee, accruedFee }: Chargeback,
  today: string,
): DisputeDecision {
  const isRejected = refundable(payment) === 0
  const convFee = isRejected ? payment.convFee : 0
  return {
    own: {
      changes: { status: 'processed', status_code: statusCode, processed_date: today, conv_fee: convFee },
      entries: contraEntries(payment, { id, type: 'chargeback' }, amount),
      postings: chargebackPostings(amount, { convFee, fee, accrued: accruedFee }),
      events: [],
    },
    payment: {
      changes: isRejected ? { status: 'rejected', status_code: statusCode, funding_status: 'reversed' } : {},
      entries: [],
      postings: [],
      events: ['reject'],
    },
  }
}
