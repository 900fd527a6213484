import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Avs } from '../../gateways/contract.js'
import type { Minor } from '../../schema/money.js'
import { type Decision, nothing } from '../ledger/decision.js'
import { contraEntries, owedOf } from '../ledger/ledger-entry.js'
import { paymentPostings, payoutPostings, reversed } from '../ledger/postings.js'
import { refundable, type Transaction } from '../ledger/stored-transaction.js'
import { type Answer, factsOf, refusalOf, UNAVAILABLE } from './answer.js'
import type { NewOperation, PendingOperation } from './pending-operation.js'
import { cannotChange } from './status.js'
import type { Today } from './today.js'

/** Operations that concern one transaction only; a refund of a payment concerns two. */
export type OwnOperation = Exclude<PendingOperation, { kind: 'refund' | 'refunding' | 'undo' }>

/** What an outcome changes, and what else follows from it. */
export interface OutcomeDecision extends Decision {
  /** Why the request that asked for the operation is refused after all. */
  readonly refusal?: ApiError | undefined
  /** The gateway has done it with another amount, which an operator has to see. */
  readonly differs?: true
}

/**
 * What an outcome at the gateway changes on the transaction that the operation concerns. `today` is the day it is
 * recorded. Every outcome has its line here. Architecture: "Gateways and crashes".
 */
export function decideOutcome(
  transaction: Transaction,
  operation: OwnOperation,
  answer: Answer,
  today: Today,
): OutcomeDecision {
  return isNew(operation)
    ? decideNew(transaction, operation, answer, today)
    : decideOnPayment(transaction, operation.kind, answer, today)
}

function decideNew(
  transaction: Transaction,
  operation: NewOperation,
  answer: Answer,
  today: Today,
): OutcomeDecision {
  if (answer === 'never_seen') return decideDecline('never_sent')
  switch (answer.result) {
    case 'approved': {
      const approval = withFacts(decideApproval(transaction, operation, today), answer, answer.avs)
      return answer.amount > transaction.amount + transaction.convFee
        ? { ...approval, differs: true }
        : approval
    }
    case 'declined':
      return withFacts(decideDecline(answer.statusCode), answer, answer.avs)
    case 'action':
      return withFacts(decideDecline('authentication_required'), answer, answer.avs)
    case 'pending':
      return { ...nothing, changes: factsOf(answer) }
    case 'not_sent':
    case 'misconfigured':
      return { ...decideUnavailable(answer.result), refusal: refusalOf(answer) }
  }
}

function decideOnPayment(
  payment: Transaction,
  kind: 'capture' | 'void',
  answer: Answer,
  today: Today,
): OutcomeDecision {
  if (answer === 'never_seen') return released
  switch (answer.result) {
    case 'approved': {
      if (kind === 'void') return decideVoid(payment)
      const captured = decideCapture(payment, today)
      return answer.amount === payment.amount + payment.convFee ? captured : { ...captured, differs: true }
    }
    case 'declined':
      if (kind === 'capture') return decideDecline(answer.statusCode)
      return answer.statusCode === 'already_settled'
        ? decideSettled(payment)
        : refusedVoid(payment, answer.statusCode)
    case 'action':
      return kind === 'capture'
        ? decideDecline('authentication_required')
        : refusedVoid(payment, answer.result)
    case 'pending':
      return nothing
    case 'not_sent':
    case 'misconfigured':
      return { ...released, refusal: refusalOf(answer) }
  }
}

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

/** The same for the refund of a payment. `today` is a date, `YYYY-MM-DD`. Money: "Refunds, voids, disputes". */
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

/** Whether it is the transaction itself that the gateway is asked for. */
export function isNew(operation: PendingOperation): operation is NewOperation {
  switch (operation.kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return true
    default:
      return false
  }
}

/** The transaction stays as it was, free for the next operation. */
const released: Decision = { ...nothing, changes: { open_operation: null } }

/** The gateway did not do it: the payment is as it was, and the request is refused. */
function refusedVoid({ status }: Transaction, code: string): OutcomeDecision {
  const refusal = invalidAttributes({ status: `${cannotChange(status, 'voided')}: the gateway says ${code}` })
  return { ...released, refusal }
}

/** It is settled there already: it is refunded from now on. */
function decideSettled({ status, fundingStatus }: Transaction): OutcomeDecision {
  const settled = fundingStatus === 'pending' ? ({ funding_status: 'captured' } as const) : {}
  return {
    ...released,
    changes: { ...released.changes, ...settled },
    refusal: invalidAttributes({
      status: `${cannotChange(status, 'voided')}: it has settled, refund it instead`,
    }),
  }
}

function withFacts(decision: Decision, answer: Answer, avs?: Avs | null): Decision {
  const facts = factsOf(answer)
  const changes =
    avs === undefined ? { ...decision.changes, ...facts } : { avs, ...decision.changes, ...facts }
  return { ...decision, changes }
}

function decideUnavailable(result: keyof typeof UNAVAILABLE): Decision {
  return { ...decideDecline(UNAVAILABLE[result]), events: [] }
}

/** What an approved payment, blind refund or credit amounts to. */
function decideApproval(
  { amount, convFee, fee, accruedFee: accrued, isAutomatic }: Transaction,
  { kind }: NewOperation,
  { date, cutOffAt }: Today,
): Decision {
  const approved = { status_code: 'approved', funding_status: 'pending', open_operation: null } as const
  const settling = { awaiting: 'cut_off', due_at: cutOffAt } as const
  const processed = { status: 'processed', processed_date: date, ...approved, ...settling } as const
  const taken = isAutomatic ? (['automatic_payment', 'payment'] as const) : (['payment'] as const)
  switch (kind) {
    case 'authorize':
      return {
        changes: { status: 'authorized', ...approved },
        entries: [],
        postings: [],
        events: [...taken, 'authorized'],
      }
    case 'sale':
      return {
        changes: processed,
        entries: [],
        postings: paymentPostings(amount, { convFee, fee, accrued }),
        events: [...taken, 'processed'],
      }
    case 'blind_refund':
      return { changes: processed, entries: [], postings: payoutPostings(amount), events: ['refund'] }
    case 'credit':
      return { changes: processed, entries: [], postings: payoutPostings(amount), events: ['credit'] }
  }
}

/** A transaction that is declined: stored, without fees, and nothing moves. Money: "Fees", "funding_status". */
export function decideDecline(statusCode: string): Decision {
  return {
    changes: {
      status: 'declined',
      status_code: statusCode,
      funding_status: null,
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      open_operation: null,
    },
    entries: [],
    postings: [],
    events: ['decline'],
  }
}

/** What an approved capture, always of the full amount, changes. `today` is the day of the capture. */
export function decideCapture(payment: Transaction, { date, cutOffAt }: Today): Decision {
  const { convFee, fee, accruedFee: accrued } = payment
  return {
    changes: {
      status: 'processed',
      status_code: 'approved',
      processed_date: date,
      awaiting: 'cut_off',
      due_at: cutOffAt,
      open_operation: null,
    },
    entries: [],
    postings: paymentPostings(payment.amount, { convFee, fee, accrued }),
    events: ['processed'],
  }
}

/** What a void changes: the payer's convenience fee is given back and the merchant pays no fee. */
export function decideVoid(payment: Transaction): Decision {
  const { convFee, fee, accruedFee: accrued } = payment
  const taken =
    payment.status === 'processed' ? paymentPostings(payment.amount, { convFee, fee, accrued }) : []
  return {
    changes: {
      status: 'voided',
      status_code: 'voided',
      funding_status: null,
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      awaiting: null,
      due_at: null,
      open_operation: null,
    },
    entries: [],
    postings: reversed(taken),
    events: ['void'],
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
    changes: { status: 'processed', status_code: 'approved', processed_date: today, open_operation: null },
    entries: contraEntries(payment, { id: refund.id, type: 'refund' }, refund.amount),
    postings: payoutPostings(refund.amount),
    events: ['refund'],
  }
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
