import type { Minor } from '../../../schema/money.js'
import type { Fees } from '../../ledger/fees.js'

/** A part of an authorized payment that is captured, with its fees. */
export interface CapturedPart extends Fees {
  readonly amount: Minor
}

/**
 * The operation at the gateway with an unknown outcome, as the column `pending_operation` stores it. It excludes every
 * other operation on the transaction.
 */
export type PendingOperation =
  | NewOperation
  /** An operation on the transaction; each attempt has a reference of its own. */
  | PaymentOperation
  /** The void of a partial approval. */
  | { readonly kind: 'undo'; readonly reference: string }
  /**
   * The transaction is a refund of `payment`. `isUnsent`: the gateway accepts it only after the payment is settled.
   * `sending`: an id made when the request was sent after such a wait; omitted without a wait.
   */
  | {
      readonly kind: 'refund'
      readonly payment: string
      readonly isUnsent?: boolean
      readonly sending?: string
    }
  /** The transaction is a payment; its refund `refund` has no outcome yet. */
  | { readonly kind: 'refunding'; readonly refund: string }

/** A capture or void. Without `part`, the whole payment is captured. */
export type PaymentOperation =
  | { readonly kind: 'capture'; readonly reference: string; readonly part?: CapturedPart | undefined }
  | { readonly kind: 'void'; readonly reference: string }

/** The operation that creates the transaction at the gateway. Its reference is the transaction's id. */
export interface NewOperation {
  readonly kind: 'sale' | 'authorize' | 'credit' | 'blind_refund'
}

const UNSENT = 'unsent'

/** Text of an operation in the column `pending_operation`. */
export function writePending(operation: PendingOperation): string {
  switch (operation.kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return operation.kind
    case 'capture':
      return operation.part === undefined
        ? `capture:${operation.reference}`
        : `capture:${operation.reference}:${amountsOf(operation.part).join(':')}`
    case 'void':
    case 'undo':
      return `${operation.kind}:${operation.reference}`
    case 'refund':
      return ['refund', operation.payment, operation.isUnsent ? UNSENT : operation.sending]
        .filter((part) => part !== undefined)
        .join(':')
    case 'refunding':
      return `refunding:${operation.refund}`
  }
}

/** Parses the column `pending_operation`. Throws for text that `writePending` never writes. */
export function readPending(text: string): PendingOperation {
  const [kind, argument = '', ...more] = text.split(':')
  const [sending] = more
  switch (kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return { kind }
    case 'capture':
      return { kind, reference: argument, ...(more.length > 0 && { part: partIn(more) }) }
    case 'void':
    case 'undo':
      return { kind, reference: argument }
    case 'refund':
      if (sending === undefined) return { kind, payment: argument }
      return { kind, payment: argument, ...(sending === UNSENT ? { isUnsent: true } : { sending }) }
    case 'refunding':
      return { kind, refund: argument }
    default:
      throw new Error(`Unknown pending operation: ${text}`)
  }
}

function amountsOf({ amount, convFee, fee, accrued }: CapturedPart): readonly Minor[] {
  return [amount, convFee, fee, accrued]
}

function partIn(amounts: readonly string[]): CapturedPart {
  const [amount = 0, convFee = 0, fee = 0, accrued = 0] = amounts.map(Number)
  return { amount, convFee, fee, accrued }
}

/**
 * The reference by which the gateway knows the operation; undefined for `refunding`, whose operation belongs to the
 * refund.
 */
export function referenceOf(operation: PendingOperation, transactionId: string): string | undefined {
  switch (operation.kind) {
    case 'capture':
    case 'void':
    case 'undo':
      return operation.reference
    case 'refunding':
      return undefined
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
    case 'refund':
      return transactionId
  }
}

/**
 * Id whose timestamp is the time of the call to the gateway. A refund that had to wait was sent later than its
 * reference says.
 */
export function sendingOf(operation: PendingOperation, reference: string): string {
  return operation.kind === 'refund' ? (operation.sending ?? reference) : reference
}
