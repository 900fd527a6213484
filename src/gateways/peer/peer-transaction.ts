import { parseMoney, showMoney } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Avs, FoundOutcome, GatewayOperation } from '../contract.js'
import { isHardCode } from '../hard-declines.js'
import { UnknownOutcome } from '../unknown-outcome.js'

/** Known types and statuses. A transaction with another type or status is not accepted. */
const TYPES = [
  'payment',
  'deposit',
  'reversal',
  'refund',
  'credit',
  'chargeback',
  'chargeback_reversal',
] as const
const STATUSES = ['authorized', 'processing', 'processed', 'declined', 'voided', 'rejected'] as const
const AVS: readonly Avs[] = ['no_match', 'street_and_zip', 'street', 'zip', 'unknown']

/** The fields of a peer's transaction that are read. */
export interface PeerTransaction {
  readonly id: string
  readonly type: (typeof TYPES)[number]
  readonly status: (typeof STATUSES)[number]
  readonly statusCode: string | undefined
  /** Whether the peer's risk screening refused the payment. The method itself may be valid. */
  readonly isDenied: boolean
  readonly fundingStatus: string | undefined
  /** Amount in minor units (cents), never negative. */
  readonly amount: number
  readonly avs: Avs | undefined
  readonly reference: string | undefined
  /** Address of the page on which the payer authenticates. */
  readonly redirect: string | undefined
}

/** Status code of a payment that waits for its payer. */
const AUTHENTICATION_REQUIRED = 'authentication_required'

/** Whether a payment waits for its payer to authenticate. */
export function waitsForPayer({ type, status, statusCode }: PeerTransaction): boolean {
  return type === 'payment' && status === 'processing' && statusCode === AUTHENTICATION_REQUIRED
}

/** Form of a transaction's id. */
const ID = /^txn_[\x21-\x7e]{1,250}$/
/** The only currency of a peer's API, which usually has no field for the currency. */
const CURRENCY = 'USD'

/** Whether a value has the form of a transaction's id. */
export function isTransactionId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/** Reads a transaction; undefined if the value is no valid transaction. */
export function peerTransaction(value: unknown): PeerTransaction | undefined {
  if (!isTree(value)) return undefined
  const { id, object = 'transaction', currency = CURRENCY } = value
  const type = TYPES.find((each) => each === value.type)
  const status = STATUSES.find((each) => each === value.status)
  const amount = amountOf(value.amount)
  if (object !== 'transaction' || currency !== CURRENCY || !isTransactionId(id)) return undefined
  if (type === undefined || status === undefined || amount === undefined) return undefined
  return {
    id,
    type,
    status,
    amount,
    statusCode: codeIn(value, 'status_code'),
    isDenied: value.risk_flag === 'denied',
    fundingStatus: codeIn(value, 'funding_status'),
    avs: AVS.find((each) => each === value.avs),
    reference: referenceIn(value),
    redirect: isTree(value.next_action) ? textIn(value.next_action, 'url') : undefined,
  }
}

/** Our reference in an object, even if other fields are invalid; undefined if it has none. */
export function referenceIn(value: unknown): string | undefined {
  return isTree(value) && isTree(value.attrs) ? textIn(value.attrs, 'reference') : undefined
}

/** An amount in minor units (cents); undefined if it is no number, negative, or not in whole cents. */
function amountOf(value: unknown): number | undefined {
  const minor = typeof value === 'number' ? parseMoney(value) : undefined
  return minor !== undefined && minor >= 0 && showMoney(minor) === value ? minor : undefined
}

/** Type of the transaction that an operation creates or changes. */
function typeOf(type: GatewayOperation['type']): PeerTransaction['type'] {
  return type === 'refund' || type === 'credit' ? type : 'payment'
}

/**
 * Outcome of the operation that made a transaction, by the transaction's current state. Throws `UnknownOutcome` if its
 * type or state is impossible for such an operation.
 */
export function outcomeOf(
  transaction: PeerTransaction,
  type: GatewayOperation['type'],
): Exclude<FoundOutcome, string> {
  const { id, status, statusCode = 'declined', isDenied, amount, avs, redirect } = transaction
  const known = { gatewayId: id, code: transaction.statusCode ?? null, avs: avs ?? null }
  expectType(transaction, type)
  switch (status) {
    case 'declined':
      return { ...known, result: 'declined', statusCode, isHard: isHardCode(statusCode) && !isDenied }
    case 'processing':
      return waitsForPayer(transaction)
        ? { ...known, result: 'action', ...(redirect !== undefined && { redirect }) }
        : { ...known, result: 'pending' }
    case 'authorized':
      if (transaction.type !== 'payment') throw unexpected(transaction, type)
      // A sale that is only authorized is under review at the peer.
      if (type !== 'authorize') return { ...known, result: 'pending' }
      break
    case 'processed':
      break
    case 'rejected':
      // The payment succeeded first, and the payer's bank took the money back later.
      if (transaction.type !== 'payment') throw unexpected(transaction, type)
      break
    case 'voided':
      // A voided transaction moves no money.
      return { ...known, result: 'declined', statusCode: 'voided' }
  }
  if (amount === 0) throw unexpected(transaction, type)
  return { ...known, result: 'approved', amount }
}

/**
 * Outcome in the answer to a new operation. Throws `UnknownOutcome` for a voided or rejected transaction,
 * because no new transaction can be in such a state.
 */
export function newOutcome(
  transaction: PeerTransaction,
  type: GatewayOperation['type'],
): Exclude<FoundOutcome, string> {
  const { status } = transaction
  if (status === 'voided' || status === 'rejected') throw unexpected(transaction, type)
  return outcomeOf(transaction, type)
}

/**
 * Outcome of a capture or a void, by the payment's current state. If the payment is unchanged, the operation was never
 * seen. Throws `UnknownOutcome` for another type of transaction.
 */
export function outcomeOn(payment: PeerTransaction, type: 'capture' | 'void'): FoundOutcome {
  expectType(payment, type)
  const { id, status, statusCode, amount } = payment
  const approved = { result: 'approved', gatewayId: id, amount } as const
  if (type === 'void') return status === 'voided' ? approved : 'never_seen'
  switch (status) {
    case 'authorized':
      return 'never_seen'
    case 'declined':
    case 'voided':
      return { result: 'declined', gatewayId: id, statusCode: statusCode ?? 'declined' }
    case 'processing':
      return { result: 'pending', gatewayId: id }
    case 'processed':
    case 'rejected':
      return approved
  }
}

function expectType(transaction: PeerTransaction, type: GatewayOperation['type']): void {
  if (transaction.type !== typeOf(type)) throw unexpected(transaction, type)
}

function unexpected({ id, type: made, status }: PeerTransaction, type: string): UnknownOutcome {
  return new UnknownOutcome(`${id} is a ${made} that is ${status}, which no ${type} becomes`)
}

/** A code that is safe to store and show; undefined if the text has another form. */
function codeIn(tree: Input, name: string): string | undefined {
  const text = textIn(tree, name)
  return text !== undefined && /^\w{1,60}$/.test(text) ? text : undefined
}

function textIn(tree: Input, name: string): string | undefined {
  const value = tree[name]
  return typeof value === 'string' ? value : undefined
}
