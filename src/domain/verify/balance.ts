import type { LedgerRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'
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
  return [...problems, ...owedProblems(row, entries), ...fundingProblems(row, entries)]
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

/**
 * `refunded` once processed refunds reach the amount; `rejected` once a chargeback takes what was left. A payment of
 * which a refund takes what a chargeback left stays processed: the merchant gave it back.
 */
function fundingProblems(
  { status, amount, charged_back: back, funding_status: funding }: TransactionHistory['row'],
  entries: readonly LedgerRow[],
): string[] {
  if (status !== 'processed' && status !== 'rejected') return []
  const after = statusAfter(amount ?? 0, entries)
  if ((after === 'refunded') !== (funding === 'refunded'))
    return [`It is ${funding}, and by its ledger ${after}`]
  return (after === 'rejected') === (status === 'rejected')
    ? []
    : [`It is ${status} with ${back} of ${amount} charged back`]
}

/** What a payment has become by its ledger entries, in the order in which they were made. */
function statusAfter(amount: Minor, entries: readonly LedgerRow[]): 'processed' | 'refunded' | 'rejected' {
  let [refunded, chargedBack, isRejected] = [0, 0, false]
  for (const { entry_type: type, amount: entered } of entries) {
    if (type === 'refund') refunded -= entered ?? 0
    if (type !== 'chargeback' && type !== 'chargeback_reversal') continue
    chargedBack -= entered ?? 0
    isRejected = type === 'chargeback' && refunded + chargedBack === amount
  }
  if (isRejected) return 'rejected'
  return refunded === amount && chargedBack === 0 ? 'refunded' : 'processed'
}

function sumOf(entries: readonly LedgerRow[], type: string): number {
  const sum = entries
    .filter(({ entry_type: other }) => other === type)
    .reduce((total, { amount }) => total + (amount ?? 0), 0)
  return sum === 0 ? 0 : sum
}
