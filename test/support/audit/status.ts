import type { TransactionRow } from '../../../src/store/tables.js'
import type { Kept } from './kept.js'

/** States that a transaction may rest in: `type status funding_status`. Money: "funding_status". */
const AT_REST = new Set([
  'payment declined null',
  'payment authorized pending',
  'payment voided pending',
  'payment processed pending',
  'payment processed refunded',
  'refund processed null',
  'refund processed pending',
  'refund declined null',
  'credit processed pending',
  'credit declined null',
])

/** A refund that names its payment; a blind one has a funding status of its own. */
export function isLinkedRefund({ type, status, funding_status }: TransactionRow): boolean {
  return type === 'refund' && status === 'processed' && funding_status === null
}

export function statusProblems({ transactions }: Kept): string[] {
  return transactions.flatMap((row) => {
    const { id, type, status, funding_status: funding, refunded, amount, open_operation: open } = row
    const state = `${type} ${status} ${funding}`
    const isWhole = type === 'payment' && status === 'processed' && refunded === amount
    return [
      ...(AT_REST.has(state) ? [] : [`${id} rests in ${state}`]),
      ...(open === null ? [] : [`${id} has an open operation ${open}`]),
      ...(isWhole === (funding === 'refunded')
        ? []
        : [`${id} is ${funding} with ${refunded} of ${amount} refunded`]),
    ]
  })
}
