/**
 * The operation at the gateway whose outcome is not known yet, as the column `pending_operation` holds it. It excludes
 * every other operation on the transaction.
 */
export type PendingOperation =
  | NewOperation
  /** An operation on the transaction; each attempt has a reference of its own. */
  | { readonly kind: 'capture' | 'void'; readonly reference: string }
  /** The void of what the gateway has approved, which is less than it was asked for. */
  | { readonly kind: 'undo'; readonly reference: string }
  /**
   * The transaction is a refund of `payment`; unsent until the gateway takes it, which is when that is settled. One that
   * waited for that has a `sending`, an id of the moment at which it was sent.
   */
  | {
      readonly kind: 'refund'
      readonly payment: string
      readonly isUnsent?: boolean
      readonly sending?: string
    }
  /** The transaction is a payment of which `refund` is on its way. */
  | { readonly kind: 'refunding'; readonly refund: string }

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

/** Throws when the column holds what no operation writes. */
export function readPending(text: string): PendingOperation {
  const [kind, argument = '', sending] = text.split(':')
  switch (kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return { kind }
    case 'capture':
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

/** The reference that the gateway knows the operation by; nothing when the operation is another transaction's. */
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

/** The id whose time is that at which the gateway was asked; the reference is older where a refund had to wait. */
export function sendingOf(operation: PendingOperation, reference: string): string {
  return operation.kind === 'refund' ? (operation.sending ?? reference) : reference
}
