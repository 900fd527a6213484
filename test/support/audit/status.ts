import type { TransactionRow } from '../../../src/engine/store/database/tables.js'
import type { Kept } from './kept.js'

/** States in which a transaction may stay: `type status funding_status`. See docs/money.md, "A payment's status". */
const AT_REST = new Set([
  'payment declined null',
  'payment authorized pending',
  'payment voided null',
  'payment processed pending',
  'payment processed captured',
  'payment processed batched',
  'payment processed refunded',
  'payment rejected reversed',
  'refund processed null',
  'refund processed pending',
  'refund processed captured',
  'refund processed batched',
  'refund declined null',
  'credit processed pending',
  'credit processed captured',
  'credit processed batched',
  'credit declined null',
  'deposit processed null',
  'reversal processed null',
  'chargeback processed null',
  'chargeback_reversal processed null',
])

/** Whether a transaction is a refund of a known payment; a blind refund has its own funding status. */
export function isLinkedRefund({ type, status, funding_status }: TransactionRow): boolean {
  return type === 'refund' && status === 'processed' && funding_status === null
}

/** Whether the money of a payment was received, whatever happened later. */
export function isTaken({ status }: TransactionRow): boolean {
  return status === 'processed' || status === 'rejected'
}

export function statusProblems({ transactions }: Kept): string[] {
  return transactions.flatMap((row) => {
    const { id, type, status, funding_status: funding, refunded, amount, pending_operation: open } = row
    const state = `${type} ${status} ${funding}`
    const isWhole = type === 'payment' && status === 'processed' && refunded === amount
    const left = (amount ?? 0) - (refunded ?? 0) - (row.charged_back ?? 0)
    return [
      ...(AT_REST.has(state) ? [] : [`${id} rests in ${state}`]),
      ...(open === null ? [] : [`${id} has an open operation ${open}`]),
      ...(isWhole === (funding === 'refunded')
        ? []
        : [`${id} is ${funding} with ${refunded} of ${amount} refunded`]),
      ...(status === 'rejected' && left !== 0 ? [`${id} is rejected with ${left} left`] : []),
      ...waitingProblems(row),
    ]
  })
}

/** Possible values of `awaiting` by the state of a transaction. */
const WAITS: Readonly<Record<string, readonly (string | null)[]>> = {
  'payment processed pending': ['cut_off'],
  'payment processed captured': ['cut_off', 'funding', 'bill', null],
  'payment processed batched': ['funding', 'bill', null],
  'payment processed refunded': ['cut_off', 'funding', 'bill', null],
  'payment rejected reversed': ['cut_off', 'funding', 'bill', null],
  'refund processed pending': ['cut_off'],
  'refund processed captured': ['funding'],
  'credit processed pending': ['cut_off'],
  'credit processed captured': ['funding'],
  'chargeback processed null': ['funding', 'bill', null],
  'deposit processed null': ['bill', null],
  'reversal processed null': ['bill', null],
}

function waitingProblems({
  id,
  type,
  status,
  funding_status: funding,
  awaiting,
  due_at: due,
}: TransactionRow) {
  const waits = WAITS[`${type} ${status} ${funding}`] ?? [null]
  const isTimed = awaiting !== null && awaiting !== 'bill'
  return [
    ...(waits.includes(awaiting) ? [] : [`${id} is ${type} ${status} ${funding} and waits for ${awaiting}`]),
    ...(isTimed === (due !== null) ? [] : [`${id} waits for ${awaiting} until ${due}`]),
  ]
}
