/**
 * The operation at the gateway whose outcome is not known yet, as the column `open_operation` holds it. It excludes
 * every other operation on the transaction.
 */
export type PendingOperation =
  | NewOperation
  /** An operation on the transaction; each attempt has a reference of its own. */
  | { readonly kind: 'capture' | 'void'; readonly reference: string }
  /** The transaction is a refund of `payment`. */
  | { readonly kind: 'refund'; readonly payment: string }
  /** The transaction is a payment of which `refund` is on its way. */
  | { readonly kind: 'refunding'; readonly refund: string }

/** The transaction itself: its reference is the transaction's id. */
export interface NewOperation {
  readonly kind: 'sale' | 'authorize' | 'credit' | 'blind_refund'
}

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
      return `${operation.kind}:${operation.reference}`
    case 'refund':
      return `refund:${operation.payment}`
    case 'refunding':
      return `refunding:${operation.refund}`
  }
}

/** Throws when the column holds what no operation writes. */
export function readPending(text: string): PendingOperation {
  const [kind, argument = ''] = text.split(':', 2)
  switch (kind) {
    case 'sale':
    case 'authorize':
    case 'credit':
    case 'blind_refund':
      return { kind }
    case 'capture':
    case 'void':
      return { kind, reference: argument }
    case 'refund':
      return { kind, payment: argument }
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
