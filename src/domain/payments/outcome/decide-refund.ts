import type { Minor } from '../../../schema/money.js'
import { type Decision, nothing } from '../../ledger/decision.js'
import { contraEntries, owedOf } from '../../ledger/ledger-entry.js'
import { payoutPostings } from '../../ledger/postings.js'
import { refundable, type Transaction } from '../../ledger/stored-transaction.js'
import { type Answer, factsOf } from '../pending/gateway-answer.js'
import { decideDecline, decideUnavailable, withFacts } from './decide-outcome.js'

/** A refund whose amount is already reserved in its payment (`refunded`). */
export interface ReservedRefund {
  readonly payment: Transaction
  /**
   * Sum of the payment's ledger entries before this refund, in minor units; undefined if the payment was not deposited.
   */
  readonly entered: Minor | undefined
  readonly refund: Pick<Transaction, 'id' | 'amount'>
}

/** Changes of a refund and of its payment after an outcome. */
export interface RefundDecision {
  readonly refund: Decision
  /** Deposited part of the payment that is no longer due: minor units, 0 if there is none. */
  readonly clawback: Minor
  /** Undefined when the payment does not change. */
  readonly payment: Decision | undefined
}

/**
 * Decides the changes of a refund and its payment after an outcome at the gateway. `today` is a date, `YYYY-MM-DD`.
 * See docs/money.md, "Refunds".
 */
export function decideRefundOutcome(reserved: ReservedRefund, answer: Answer, today: string): RefundDecision {
  if (answer === 'never_seen') return decideFailedRefund(reserved, decideDecline('never_sent'))
  switch (answer.result) {
    case 'approved': {
      const approved = decideApprovedRefund(reserved, today)
      return { ...approved, refund: withFacts(approved.refund, answer) }
    }
    case 'declined':
      return decideFailedRefund(reserved, withFacts(decideDecline(answer.statusCode), answer))
    case 'action':
      return decideFailedRefund(reserved, decideDecline('authentication_required'))
    case 'pending':
      return { refund: { ...nothing, changes: factsOf(answer) }, clawback: 0, payment: undefined }
    case 'not_sent':
    case 'misconfigured':
      return decideFailedRefund(reserved, decideUnavailable(answer.result))
  }
}

/**
 * Decides an approved refund. It is entered in the ledgers of refund and payment, and the deposited amount that is no
 * longer due is clawed back.
 */
function decideApprovedRefund({ payment, entered, refund }: ReservedRefund, today: string): RefundDecision {
  const owed = entered === undefined ? 0 : owedOf(payment, entered - refund.amount)
  const changes = settledPayment(payment)
  const isInvoiced = payment.allocated > refundable(payment)
  const isChanged = changes.funding_status !== undefined || payment.pendingOperation !== null || isInvoiced
  return {
    refund: decideRefund(payment, refund, today),
    clawback: Math.max(0, -owed),
    payment: isChanged ? { ...nothing, changes } : undefined,
  }
}

/** Decides a failed refund: it has no postings and releases the reserved balance. */
function decideFailedRefund({ payment, refund }: ReservedRefund, declined: Decision): RefundDecision {
  return {
    refund: declined,
    clawback: 0,
    payment: { ...nothing, changes: releasedPayment(payment, refund.amount) },
  }
}

/** Decides the changes of an approved refund itself. */
export function decideRefund(
  payment: Transaction,
  refund: Pick<Transaction, 'id' | 'amount'>,
  today: string,
): Decision {
  return {
    changes: { status: 'processed', status_code: 'approved', processed_date: today, pending_operation: null },
    entries: contraEntries(payment, { id: refund.id, type: 'refund' }, refund.amount),
    postings: payoutPostings(refund.amount),
    events: ['refund'],
  }
}

/**
 * Changes of a payment whose refund is processed. Its `refunded` already includes the refund, since the reservation.
 */
export function settledPayment(payment: Pick<Transaction, 'amount' | 'refunded'>): Decision['changes'] {
  const isAll = payment.refunded >= payment.amount
  return isAll ? { funding_status: 'refunded', pending_operation: null } : { pending_operation: null }
}

/** Changes of a payment whose refund failed: the reserved balance is released. */
export function releasedPayment(payment: Pick<Transaction, 'refunded'>, amount: Minor): Decision['changes'] {
  return { refunded: payment.refunded - amount, pending_operation: null }
}
