import type { GatewayOutcome } from '../../gateways/contract.js'
import { type Decision, nothing } from '../ledger/decision.js'
import type { Transaction } from '../ledger/stored.js'
import { decideApproval } from './approval.js'
import { decideCapture } from './capture.js'
import { decideDecline } from './decline.js'
import type { OpenOperation } from './open-operation.js'
import type { Today } from './today.js'
import { decideVoid } from './void.js'

/** Operations that concern one transaction only; a refund of a payment concerns two (refund.ts). */
export type OwnOperation = Exclude<OpenOperation, { kind: 'refund' | 'refunding' }>

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
      return withAvs(decideNew(transaction, answer, today), answer)
    case 'capture':
      if (answer === 'never_seen') return released
      return isApproved(answer) ? decideCapture(transaction, today) : decideDecline(answer.statusCode)
    case 'void':
      return isApproved(answer) ? decideVoid(transaction) : released
  }
}

function decideNew(transaction: Transaction, answer: Answer, today: Today): Decision {
  if (answer === 'never_seen') return decideDecline('never_sent')
  return isApproved(answer) ? decideApproval(transaction, today) : decideDecline(answer.statusCode)
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
