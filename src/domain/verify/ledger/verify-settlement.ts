import type { TransactionHistory } from './transaction-history.js'

/**
 * A deposit, reversal or bill is the sum of its parts. Its ledger entries sum to `amount + fee` for a deposit, and to
 * `fee - amount` for a reversal. Its fees cover at least the fees of its transactions. It goes to a bank account of
 * the processing account. See docs/money.md, "Cut-off and deposits".
 */
export function settlementProblems(history: TransactionHistory): string[] {
  const charged = chargedProblems(history)
  return history.isBatch ? [...charged, ...bankProblems(history), ...sumProblems(history)] : charged
}

function sumProblems({ row, entered, charged }: TransactionHistory): string[] {
  if (row.status !== 'processed') return []
  const amount = row.amount ?? 0
  const fee = row.fee ?? 0
  const carried = row.accrued_fee ?? 0
  const net = row.type === 'deposit' ? amount + fee : fee - amount
  const problems = []
  if (net !== entered.amount)
    problems.push(
      `Its amount is ${amount} and its fee ${fee}, and its ledger entries sum to ${entered.amount}`,
    )
  if (fee + carried < charged.fee + charged.accrued)
    problems.push(
      `Its fees are ${fee + carried}, and those of the transactions in it ${charged.fee + charged.accrued}`,
    )
  return problems
}

/** A deposit or reversal of an account without a bank account has no payment method. */
function bankProblems({ row, method }: TransactionHistory): string[] {
  const { payment_method_id: id, processing_id: account } = row
  if (id === null) return []
  return method?.type === 'bank_account' && method.account_id === account
    ? []
    : [`It goes to ${id}, which is not a bank account of ${account}`]
}

/**
 * Fees are charged once, by a deposit, reversal or bill of the same account. It includes the transaction if any amount
 * was due for it.
 */
function chargedProblems({ row, entries, related }: TransactionHistory): string[] {
  const { charged_by: id, processing_id: account, status } = row
  const settled = entries.filter(
    ({ assoc_transaction_id: of }) => (related.get(of ?? '')?.period ?? null) !== null,
  )
  if (id === null) return settled.length > 0 ? ['It is settled, and its fees are not charged'] : []
  if (status !== 'processed' && status !== 'rejected') return [`It is ${status}, and was charged by ${id}`]
  const by = related.get(id)
  if (!by || by.period === null || by.processing_id !== account)
    return [`It was charged by ${id}, which is not a settlement of ${account}`]
  const [first] = settled
  // Fees may have been charged before a further amount was due, as when a dispute is won.
  const isFirst = entries[0]?.id === first?.id
  return first && isFirst && first.assoc_transaction_id !== id
    ? [`It was charged by ${id}, and settled by ${first.assoc_transaction_id}`]
    : []
}
