import type { GatewayOutcome } from '../../gateways/contract.js'
import { type Decision, nothing } from '../ledger/decision.js'
import { paymentPostings, payoutPostings, reversed } from '../ledger/postings.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import type { NewOperation, PendingOperation } from './pending-operation.js'
import type { Today } from './today.js'

/** Operations that concern one transaction only; a refund of a payment concerns two (refund.ts). */
export type OwnOperation = Exclude<PendingOperation, { kind: 'refund' | 'refunding' }>

/** What the gateway says of an operation; `never_seen`: the request did not arrive, so nothing happened. */
export type Answer = GatewayOutcome | 'never_seen'

/** What an answer of the gateway changes. `today` is the day it is recorded. Architecture: "Gateways and crashes". */
export function decideOutcome(
  transaction: Transaction,
  operation: OwnOperation,
  answer: Answer,
  today: Today,
): Decision {
  switch (operation.kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return withAvs(decideNew(transaction, operation, answer, today), answer)
    case 'capture':
      if (answer === 'never_seen') return released
      return isApproved(answer) ? decideCapture(transaction, today) : decideDecline(answer.statusCode)
    case 'void':
      return isApproved(answer) ? decideVoid(transaction) : released
  }
}

function decideNew(
  transaction: Transaction,
  operation: NewOperation,
  answer: Answer,
  today: Today,
): Decision {
  if (answer === 'never_seen') return decideDecline('never_sent')
  return isApproved(answer) ? decideApproval(transaction, operation, today) : decideDecline(answer.statusCode)
}

/** What an approved payment, blind refund or credit amounts to. */
function decideApproval(
  { amount, convFee, fee, accruedFee: accrued, isAutomatic }: Transaction,
  { kind }: NewOperation,
  { date, cutOffAt }: Today,
): Decision {
  const approved = { status_code: 'approved', funding_status: 'pending', open_operation: null } as const
  const settling = { awaiting: 'cut_off', due_at: cutOffAt } as const
  const processed = { ...approved, ...settling, status: 'processed', processed_date: date } as const
  const taken = isAutomatic ? (['automatic_payment', 'payment'] as const) : (['payment'] as const)
  switch (kind) {
    case 'authorize':
      return {
        changes: { ...approved, status: 'authorized' },
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

function withAvs(decision: Decision, answer: Answer): Decision {
  return answer === 'never_seen'
    ? decision
    : { ...decision, changes: { ...decision.changes, avs: answer.avs } }
}

/** The transaction stays as it was, free for the next operation. */
const released: Decision = { ...nothing, changes: { open_operation: null } }

export function isApproved(answer: Answer): boolean {
  return answer !== 'never_seen' && answer.result === 'approved'
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
