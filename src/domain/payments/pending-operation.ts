import type { Minor } from '../../schema/money.js'
import type { Fees } from '../ledger/fees.js'

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
   * The transaction is a refund of `payment`. It is unsent until the payment is settled, as the gateway accepts it
   * only then. A refund that waited has a `sending`, an id of the moment at which it was sent.
   */
  | {
      readonly kind: 'refund'
      readonly payment: string
      readonly isUnsent?: boolean
      readonly sending?: string
    }
  /** The transaction is a payment of which `refund` is on its way. */
  | { readonly kind: 'refunding'; readonly refund: string }

/** Omitted `part`: the whole payment. */
export type PaymentOperation =
  | { readonly kind: 'capture'; readonly reference: string; readonly part?: CapturedPart | undefined }
  | { readonly kind: 'void'; readonly reference: string }

/** The transaction itself: its reference is the transaction's id. */
export interface NewOperation {
  readonly kind: 'sale' | 'authorize' | 'credit' | 'blind_refund'
}

const UNSENT = 'unsent'

/** The text that the column holds. */
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

/** Parses the column; throws for a value that no operation writes. */
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

/** The reference by which the gateway knows the operation; undefined for the operation of another transaction. */
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

/** The id that holds the time of the call to the gateway; the reference is older if a refund had to wait. */
export function sendingOf(operation: PendingOperation, reference: string): string {
  return operation.kind === 'refund' ? (operation.sending ?? reference) : reference
}
