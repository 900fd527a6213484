import { amountIn } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { FoundOutcome, GatewayOperation, MoneyTakenBack } from '../contract.js'
import { textIn, treesIn } from './authorizenet-api.js'
import { tokenIn } from './authorizenet-profile.js'
import { reasonGroup } from './reason-codes.js'
import { avsOf, cvvOf } from './verification-codes.js'

/** Phase of a transaction at Authorize.Net. */
export type Phase = 'review' | 'authorized' | 'captured' | 'settled' | 'voided' | 'expired' | 'declined'

/** Phase by Authorize.Net's `transactionStatus`, for every documented status. */
const PHASES: ReadonlyMap<string, Phase> = new Map(
  Object.entries({
    underReview: 'review',
    FDSPendingReview: 'review',
    FDSAuthorizedPendingReview: 'review',
    authorizedPendingRelease: 'review',
    authorizedPendingCapture: 'authorized',
    approvedReview: 'captured',
    capturedPendingSettlement: 'captured',
    pendingSettlement: 'captured',
    pendingFinalSettlement: 'captured',
    updatingSettlement: 'captured',
    couldNotVoid: 'captured',
    settlementError: 'captured',
    refundPendingSettlement: 'captured',
    settledSuccessfully: 'settled',
    refundSettledSuccessfully: 'settled',
    returnedItem: 'settled',
    chargeback: 'settled',
    chargebackReversal: 'settled',
    voided: 'voided',
    expired: 'expired',
    declined: 'declined',
    communicationError: 'declined',
    generalError: 'declined',
    failedReview: 'declined',
  } as const satisfies Record<string, Phase>),
)

/** The parts of an answer to `getTransactionDetailsRequest` that are read. Amounts are in cents. */
export interface AuthorizeNetTransaction {
  readonly id: string
  readonly type: string | undefined
  readonly phase: Phase | undefined
  readonly reasonCode: string | undefined
  readonly authorized: number | undefined
  readonly settled: number | undefined
  readonly reference: string | undefined
  /** For a refund: the gateway's id of the refunded payment. */
  readonly parent: string | undefined
  /** The masked method, with the last four digits. */
  readonly payment: Input | undefined
  readonly tree: Input
}

/** Reads a transaction; undefined if the value is no transaction. */
export function authorizeNetTransaction(value: unknown): AuthorizeNetTransaction | undefined {
  if (!isTree(value)) return undefined
  const id = textIn(value, 'transId')
  if (id === undefined) return undefined
  const { order, payment } = value
  return {
    id,
    type: textIn(value, 'transactionType'),
    phase: phaseOf(textIn(value, 'transactionStatus')),
    reasonCode: textIn(value, 'responseReasonCode'),
    authorized: positiveIn(value.authAmount),
    settled: positiveIn(value.settleAmount),
    reference: isTree(order) ? / ?ref:(\S+)$/.exec(textIn(order, 'description') ?? '')?.[1] : undefined,
    parent: textIn(value, 'refTransId'),
    payment: isTree(payment) ? payment : undefined,
    tree: value,
  }
}

/** Amount in cents; undefined for a negative or invalid amount. */
function positiveIn(value: unknown): number | undefined {
  const amount = amountIn(value)
  return amount !== undefined && amount >= 0 ? amount : undefined
}

/** Phase of a `transactionStatus`; undefined if it is not documented. */
export function phaseOf(status: string | undefined): Phase | undefined {
  return PHASES.get(status ?? '')
}

/**
 * Outcome of the operation that made a transaction. A voided transaction counts as declined. payctl voids only
 * operations with a known outcome, so someone else voided this one, and it moves no money.
 */
export function outcomeOfTransaction(
  found: AuthorizeNetTransaction,
  type: GatewayOperation['type'],
): FoundOutcome {
  const { tree, phase, id, reasonCode, authorized, settled } = found
  const known = {
    gatewayId: id,
    code: reasonCode ?? null,
    avs: avsOf(tree.AVSResponse),
    cvv: cvvOf(tree.cardCodeResponse),
  }
  switch (phase) {
    case 'review':
      return { ...known, result: 'pending' }
    case 'authorized':
    case 'captured':
    case 'settled': {
      const amount = authorized ?? settled
      // A sale that is only authorized was held for review. A person at the merchant still has to capture it.
      if (phase === 'authorized' && type === 'sale') return { ...known, result: 'pending' }
      if (amount === undefined) return 'cannot_say'
      const authCode = textIn(tree, 'authCode') ?? null
      return {
        ...known,
        result: 'approved',
        amount,
        authCode,
        networkId: textIn(tree, 'networkTransId') ?? null,
        ...tokenIn(tree.profile),
      }
    }
    case 'voided':
    case 'expired':
      return { ...known, result: 'declined', statusCode: 'declined', code: phase }
    case 'declined': {
      const { statusCode, isHard } = reasonGroup(reasonCode)
      const ours = /^(duplicate|misconfigured)$/.test(statusCode) ? 'declined' : statusCode
      return { ...known, result: 'declined', statusCode: ours, ...(isHard && { isHard }) }
    }
    case undefined:
      return 'cannot_say'
  }
}

/**
 * Outcome of a capture or a void, by the payment's current phase. If the payment is unchanged, the operation was never
 * seen.
 */
export function outcomeOnTransaction(
  payment: AuthorizeNetTransaction,
  operation: GatewayOperation,
): FoundOutcome {
  const { phase, id, settled, authorized } = payment
  if (phase === undefined) return 'cannot_say'
  if (operation.type === 'void') {
    if (phase === 'voided' || phase === 'expired')
      return { result: 'approved', gatewayId: id, amount: operation.amount }
    return phase === 'settled'
      ? {
          result: 'declined',
          gatewayId: id,
          statusCode: 'already_settled',
          ...(settled !== undefined && { captured: settled }),
        }
      : 'never_seen'
  }
  switch (phase) {
    case 'captured':
    case 'settled':
      return { result: 'approved', gatewayId: id, amount: settled ?? authorized ?? operation.amount }
    case 'review':
      return { result: 'pending', gatewayId: id }
    case 'authorized':
      return 'never_seen'
    default:
      return { result: 'declined', gatewayId: id, statusCode: 'declined', code: phase }
  }
}

/** Returns of a bank payment by the payer's bank. `statusCode` is the return code of the ACH network. */
export function returnsOf(payment: AuthorizeNetTransaction): readonly MoneyTakenBack[] {
  const amount = payment.settled ?? payment.authorized ?? 0
  return treesIn(payment.tree.returnedItems, 'returnedItem').map((item) => ({
    kind: 'return',
    dispute: textIn(item, 'id') ?? `${payment.id} ${textIn(item, 'dateUTC')}`,
    payment: payment.reference ?? payment.id,
    hasReference: payment.reference !== undefined,
    amount,
    statusCode: textIn(item, 'code') ?? 'chargeback',
  }))
}
