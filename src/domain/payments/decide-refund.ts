import type { Minor } from '../../schema/money.js'
import { type Decision, nothing } from '../ledger/decision.js'
import { contraEntries, owedOf } from '../ledger/ledger-entry.js'
import { payoutPostings } from '../ledger/postings.js'
import { refundable, type Transaction } from '../ledger/stored-transaction.js'
import { decideDecline, decideUnavailable, withFacts } from './decide-outcome.js'
import { type Answer, factsOf } from './gateway-answer.js'

/** A refund of a payment whose balance it has reserved. */
export interface ReservedRefund {
  readonly payment: Transaction
  /** The sum of the payment's ledger entries before this refund, in minor units; only of one that was deposited. */
  readonly entered: Minor | undefined
  readonly refund: Pick<Transaction, 'id' | 'amount'>
}

/** What a refund's outcome changes on both transactions that it concerns. */
export interface RefundDecision {
  readonly refund: Decision
  /** What was deposited of the payment and is not due any more: minor units, 0 where nothing is. */
  readonly clawback: Minor
  /** Nothing when the payment stays as its reservation left it. */
  readonly payment: Decision | undefined
}

/**
 * What the outcome of a refund at the gateway changes on it and on its payment. `today` is a date, `YYYY-MM-DD`. Money:
 * "Refunds, voids, disputes".
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

/** An approved refund is in both ledgers; what was deposited of it before is clawed back. */
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

/** A refund that failed moves nothing and gives the balance back. */
function decideFailedRefund({ payment, refund }: ReservedRefund, declined: Decision): RefundDecision {
  return {
    refund: declined,
    clawback: 0,
    payment: { ...nothing, changes: releasedPayment(payment, refund.amount) },
  }
}

/** What an approved refund amounts to, on the refund itself. */
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

/** What a processed refund changes on its payment, whose balance it has reserved before. */
export function settledPayment(payment: Pick<Transaction, 'amount' | 'refunded'>): Decision['changes'] {
  const isAll = payment.refunded >= payment.amount
  return isAll ? { funding_status: 'refunded', pending_operation: null } : { pending_operation: null }
}

/** What a refund that failed gives back to its payment. */
export function releasedPayment(payment: Pick<Transaction, 'refunded'>, amount: Minor): Decision['changes'] {
  return { refunded: payment.refunded - amount, pending_operation: null }
}
