import type { Status } from '../../ledger/stored-transaction.js'

/** Every transition of a transaction's `status`. See docs/money.md, "A payment's status". */
const ARROWS: Readonly<Record<Status, readonly Status[]>> = {
  authorized: ['processed', 'declined', 'voided'],
  processing: ['processed', 'authorized', 'declined'],
  processed: ['voided', 'rejected'],
  rejected: ['processed'],
  declined: [],
  voided: [],
}

/** Transitions that a client may request, and the operation of each. */
const REQUESTABLE: Readonly<Partial<Record<`${Status} ${Status}`, 'capture' | 'void'>>> = {
  'authorized processed': 'capture',
  'authorized voided': 'void',
  'processed voided': 'void',
}

export function mayBecome(from: Status, to: Status): boolean {
  return ARROWS[from].includes(to)
}

/** Operation of a change of status; undefined when no client may request it. */
export function operationFor(from: Status, to: Status): 'capture' | 'void' | 'none' | undefined {
  return from === to ? 'none' : REQUESTABLE[`${from} ${to}`]
}

/** Message for a transition that `ARROWS` does not list. */
export function cannotChange(from: Status, to: Status): string {
  return `Cannot change from ${from} to ${to}`
}
