import { type ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Avs, DeclinedOutcome } from '../../../gateways/contract.js'
import type { Minor } from '../../../schema/money.js'
import { type Decision, nothing } from '../../ledger/decision.js'
import { paymentPostings, payoutPostings, reversed } from '../../ledger/postings.js'
import type { Transaction } from '../../ledger/stored-transaction.js'
import { type Answer, factsOf, refusalOf, UNAVAILABLE } from '../pending/gateway-answer.js'
import { chargedPart } from '../pending/gateway-request.js'
import type {
  CapturedPart,
  NewOperation,
  PaymentOperation,
  PendingOperation,
} from '../pending/pending-operation.js'
import type { Today } from '../pending/today.js'
import { cannotChange } from '../pending/transaction-status.js'

/** Operations that concern one transaction only; a refund of a payment concerns two. */
export type OwnOperation = Exclude<PendingOperation, { kind: 'refund' | 'refunding' | 'undo' }>

/** Changes that follow from the gateway's answer, and further consequences. */
export interface OutcomeDecision extends Decision {
  /** Error for the client's request, if the gateway did not execute the operation. */
  readonly refusal?: ApiError | undefined
  /** The gateway has executed the operation with another amount than requested; an operator must see this. */
  readonly differs?: true
  /** Minor units that the gateway has captured of an authorized payment, if an operator has to divide them. */
  readonly partlyCaptured?: Minor
}

/**
 * Decides the changes of the transaction that follow from an outcome at the gateway. `today` is the day of recording.
 * Answers about refunds are decided in `decide-refund.ts`. See docs/gateways.md, "Answers of a gateway, and their
 * effect".
 */
export function decideOutcome(
  transaction: Transaction,
  operation: OwnOperation,
  answer: Answer,
  today: Today,
): OutcomeDecision {
  return isNew(operation)
    ? decideNew(transaction, operation, answer, today)
    : decideOnPayment(transaction, operation, answer, today)
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
  operation: PaymentOperation,
  answer: Answer,
  today: Today,
): OutcomeDecision {
  if (answer === 'never_seen') return released
  const { kind } = operation
  switch (answer.result) {
    case 'approved': {
      if (operation.kind === 'void') return decideVoid(payment)
      const captured = decideCapture(payment, today, operation.part)
      const expected = operation.part ? chargedPart(operation.part) : payment.amount + payment.convFee
      return answer.amount === expected ? captured : { ...captured, differs: true }
    }
    case 'declined':
      if (kind === 'capture') return decideDecline(answer.statusCode)
      return answer.statusCode === 'already_settled'
        ? decideSettled(payment, answer, today)
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

/** Whether the operation creates the transaction at the gateway, rather than changing an existing one. */
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

/** The transaction is unchanged, and free for the next operation. */
const released: Decision = { ...nothing, changes: { pending_operation: null } }

/** Decision for a void that the gateway did not execute: the payment is unchanged, and the request is refused. */
function refusedVoid({ status }: Transaction, code: string): OutcomeDecision {
  const refusal = invalidAttributes({ status: `${cannotChange(status, 'voided')}: the gateway says ${code}` })
  return { ...released, refusal }
}

/**
 * Decides a void that came too late: the payment is settled and can only be refunded now. If payctl still held it as
 * authorized, it is recorded as captured, because the gateway has captured it.
 */
function decideSettled(payment: Transaction, { captured }: DeclinedOutcome, today: Today): OutcomeDecision {
  const { status, fundingStatus } = payment
  const refusal = invalidAttributes({
    status: `${cannotChange(status, 'voided')}: it has settled, refund it instead`,
  })
  const isAuthorized = status === 'authorized'
  if (isAuthorized && captured !== undefined && captured !== payment.amount + payment.convFee)
    return { ...released, refusal, partlyCaptured: captured }
  const settled = fundingStatus === 'pending' ? ({ funding_status: 'captured' } as const) : {}
  const decided = isAuthorized ? decideCapture(payment, today) : released
  return { ...decided, changes: { ...decided.changes, ...settled }, refusal }
}

/** A decision, with the gateway's ids and codes for the operation. */
export function withFacts(decision: Decision, answer: Answer, avs?: Avs | null): Decision {
  const facts = factsOf(answer)
  const changes =
    avs === undefined ? { ...decision.changes, ...facts } : { avs, ...decision.changes, ...facts }
  return { ...decision, changes }
}

/** Decides the decline of an operation that never reached the gateway: it fires no event. */
export function decideUnavailable(result: keyof typeof UNAVAILABLE): Decision {
  return { ...decideDecline(UNAVAILABLE[result]), events: [] }
}

/** Decides the changes of an approved payment, blind refund or credit. */
function decideApproval(
  { amount, convFee, fee, accruedFee: accrued, isAutomatic }: Transaction,
  { kind }: NewOperation,
  { date, cutOffAt }: Today,
): Decision {
  const approved = { status_code: 'approved', funding_status: 'pending', pending_operation: null } as const
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

/** Decides a decline: the transaction is stored, without fees or postings. See docs/money.md, "Fees". */
export function decideDecline(statusCode: string): Decision {
  return {
    changes: {
      status: 'declined',
      status_code: statusCode,
      funding_status: null,
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      pending_operation: null,
    },
    entries: [],
    postings: [],
    events: ['decline'],
  }
}

/**
 * Decides the changes of an approved capture, by default of the full amount. After a partial capture, the payment has
 * the captured amount and the fees of that amount. `today` is the day of the capture.
 */
export function decideCapture(
  payment: Transaction,
  { date, cutOffAt }: Today,
  part?: CapturedPart,
): Decision {
  const whole = { ...payment, accrued: payment.accruedFee }
  const { amount, convFee, fee, accrued } = part ?? whole
  return {
    changes: {
      ...(part && {
        amount,
        authorized_amount: payment.amount,
        conv_fee: convFee,
        fee,
        accrued_fee: accrued,
      }),
      status: 'processed',
      status_code: 'approved',
      processed_date: date,
      awaiting: 'cut_off',
      due_at: cutOffAt,
      pending_operation: null,
    },
    entries: [],
    postings: paymentPostings(amount, { convFee, fee, accrued }),
    events: ['processed'],
  }
}

/** Decides the changes of a void: the payer's convenience fee is returned, and the merchant pays no fee. */
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
      pending_operation: null,
    },
    entries: [],
    postings: reversed(taken),
    events: ['void'],
  }
}
