import type { TransactionHistory } from './transaction-history.js'

/** Funding statuses that each status goes with, of what has one. Money: "funding_status". */
const PAIRS: Readonly<Record<string, readonly (string | null)[]>> = {
  declined: [null],
  authorized: ['pending'],
  voided: ['pending'],
  processing: ['pending'],
  processed: ['pending', 'captured', 'batched', 'refunded'],
  rejected: ['reversed'],
}

/** The pair of statuses is one that there is, and only what can has one. */
export function statusProblems(history: TransactionHistory): string[] {
  const { type, status, funding_status: funding, amount } = history.row
  if (type === null || status === null || amount === null) return ['Its type, status or amount is missing']
  if (amount <= 0) return [`Its amount is ${amount}, and must be above zero`]
  const allowed = hasFunding(history) ? PAIRS[status] : [null]
  if (!allowed?.includes(funding))
    return [`A ${type} that is ${status} cannot be ${funding ?? 'without funding status'}`]
  if (type !== 'payment' && (status === 'authorized' || status === 'voided' || status === 'rejected'))
    return [`A ${type} cannot be ${status}`]
  return []
}

/** Payments, credits and refunds that name no payment are funded; the rest follows from others. */
function hasFunding({ row, entries }: TransactionHistory): boolean {
  if (row.type === 'payment' || row.type === 'credit') return true
  if (row.type !== 'refund') return false
  const names =
    row.open_operation?.startsWith('refund:') || entries.some((entry) => entry.entry_type === 'payment')
  return !names
}
