import type { LedgerRow } from '../../engine/store/database/tables.js'
import type { TransactionHistory } from './transaction-history.js'

/**
 * What went back of a payment is what its ledger says and no more than it was, and nothing is owed on either side once
 * it is settled. Money: "Refunds, voids, disputes", 2, and "Ledger, deposits, journal".
 */
export function balanceProblems({ row, entries }: TransactionHistory): string[] {
  if (row.type !== 'payment') return goneBack(row.refunded, row.charged_back)
  const amount = row.amount ?? 0
  const refunded = -sumOf(entries, 'refund')
  const chargedBack = -sumOf(entries, 'chargeback') - sumOf(entries, 'chargeback_reversal')
  const isOpen = row.open_operation !== null
  const problems = []
  if (isOpen ? (row.refunded ?? 0) < refunded : row.refunded !== refunded)
    problems.push(`${row.refunded} is said to be refunded, its ledger says ${refunded}`)
  if (row.charged_back !== chargedBack)
    problems.push(`${row.charged_back} is said to be charged back, its ledger says ${chargedBack}`)
  if ((row.refunded ?? 0) + (row.charged_back ?? 0) > amount)
    problems.push(`${row.refunded} and ${row.charged_back} went back of ${amount}`)
  return [...problems, ...owedProblems(row, entries), ...fundingProblems(row)]
}

function goneBack(refunded: number | null, chargedBack: number | null): string[] {
  return (refunded ?? 0) === 0 && (chargedBack ?? 0) === 0 ? [] : ['Only of a payment something can go back']
}

function owedProblems(row: TransactionHistory['row'], entries: readonly LedgerRow[]): string[] {
  const { status, amount, awaiting, funding_status: funding } = row
  if (status !== 'processed' && status !== 'rejected')
    return entries.length === 0 ? [] : [`It is ${status} and has ledger entries`]
  const owed = (amount ?? 0) + entries.reduce((sum, entry) => sum + (entry.amount ?? 0), 0)
  if (owed < 0) return [`${-owed} more was deposited than it is worth`]
  const isSettled = awaiting === null && (funding === 'batched' || status === 'rejected')
  return isSettled && owed !== 0 ? [`${owed} is owed for it, and nothing is to come`] : []
}

/** `refunded` once refunds reach the amount, and `reversed` once a part of it was charged back and nothing remains. */
function fundingProblems({
  status,
  amount,
  refunded,
  charged_back: back,
  funding_status: funding,
}: TransactionHistory['row']): string[] {
  if (status !== 'processed' && status !== 'rejected') return []
  const isRefunded = refunded === amount && back === 0
  const isGone = (refunded ?? 0) + (back ?? 0) === amount && (back ?? 0) > 0
  if (isRefunded !== (funding === 'refunded'))
    return [`It is ${funding} with ${refunded} of ${amount} refunded`]
  return isGone === (status === 'rejected') ? [] : [`It is ${status} with ${back} of ${amount} charged back`]
}

function sumOf(entries: readonly LedgerRow[], type: string): number {
  const sum = entries
    .filter(({ entry_type: other }) => other === type)
    .reduce((total, { amount }) => total + (amount ?? 0), 0)
  return sum === 0 ? 0 : sum
}
