import type { TransactionHistory } from './transaction-history.js'

/**
 * A settlement's transaction is the sum of its parts: `amount + fee` of a deposit and `fee - amount` of a reversal are
 * what its entries sum to, and its fees cover at least those that went into it. It goes to a bank account of the
 * processing account. Money: "Ledger, deposits, journal".
 */
export function settlementProblems(history: TransactionHistory): string[] {
  const charged = chargedProblems(history)
  return history.isBatch ? [...charged, ...bankProblems(history), ...sumProblems(history)] : charged
}

function sumProblems({ row, entered, charged }: TransactionHistory): string[] {
  if (row.status !== 'processed') return []
  const [amount, fee, carried] = [row.amount ?? 0, row.fee ?? 0, row.accrued_fee ?? 0]
  const net = row.type === 'deposit' ? amount + fee : fee - amount
  const problems = []
  if (net !== entered.amount)
    problems.push(`It moves ${amount} with a fee of ${fee}, its entries sum to ${entered.amount}`)
  if (fee + carried < charged.fee + charged.accrued)
    problems.push(`It charges ${fee + carried}, and what is in it costs ${charged.fee + charged.accrued}`)
  return problems
}

/** An account without any bank account is settled nevertheless. */
function bankProblems({ row, method }: TransactionHistory): string[] {
  const { payment_method_id: id, processing_id: account } = row
  if (id === null) return []
  return method?.type === 'bank_account' && method.account_id === account
    ? []
    : [`It goes to ${id}, which is no bank account of ${account}`]
}

/** What has fees is charged once, by a settlement of its own account, which includes it where anything was due. */
function chargedProblems({ row, entries, related }: TransactionHistory): string[] {
  const { charged_by: id, processing_id: account, status } = row
  const settled = entries.filter(
    ({ assoc_transaction_id: of }) => (related.get(of ?? '')?.period ?? null) !== null,
  )
  if (id === null) return settled.length > 0 ? ['It is settled, and its fees were not charged'] : []
  if (status !== 'processed' && status !== 'rejected') return [`It is ${status}, and was charged by ${id}`]
  const by = related.get(id)
  if (!by || by.period === null || by.processing_id !== account)
    return [`It was charged by ${id}, which is no settlement of ${account}`]
  const [first] = settled
  // Fees may have been charged before anything was due again, as after a dispute that was won.
  const isFirst = entries[0]?.id === first?.id
  return first && isFirst && first.assoc_transaction_id !== id
    ? [`It was charged by ${id}, and settled by ${first.assoc_transaction_id}`]
    : []
}
