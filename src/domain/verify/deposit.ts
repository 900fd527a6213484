import type { TransactionHistory } from './transaction-history.js'

/**
 * A settlement's transaction is the sum of its parts: `amount + fee` of a deposit and `fee - amount` of a reversal are
 * what its entries sum to, and its fees cover at least those that went into it. Money: "Ledger, deposits, journal".
 */
export function depositProblems({ row, isBatch, entered, charged }: TransactionHistory): string[] {
  if (!isBatch || row.status !== 'processed') return []
  const [amount, fee, carried] = [row.amount ?? 0, row.fee ?? 0, row.accrued_fee ?? 0]
  const net = row.type === 'deposit' ? amount + fee : fee - amount
  const problems = []
  if (net !== entered.amount)
    problems.push(`It moves ${amount} with a fee of ${fee}, its entries sum to ${entered.amount}`)
  if (fee + carried < charged.fee + charged.accrued)
    problems.push(`It charges ${fee + carried}, and what is in it costs ${charged.fee + charged.accrued}`)
  return problems
}
