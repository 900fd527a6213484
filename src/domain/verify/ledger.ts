import type { LedgerRow } from '../../engine/store/database/tables.js'
import type { TransactionHistory } from './transaction-history.js'

/** Which sign an entry has on a payment, by the type of the other transaction; a settlement's own can have both. */
const SIGNS: Readonly<Record<string, -1 | 1>> = {
  deposit: -1,
  refund: -1,
  chargeback: -1,
  chargeback_reversal: 1,
}

/** Every entry has its mirror on the other side, signs are those of the relation, and sums agree. */
export function ledgerProblems({
  row,
  isBatch,
  entries,
  mirrors,
  entered,
  contra,
}: TransactionHistory): string[] {
  const problems = isBatch ? [] : unmirrored(entries, mirrors)
  if (entered.count !== contra.count)
    problems.push(`It has ${entered.count} ledger entries, and ${contra.count} name it`)
  if (entered.amount !== -contra.amount)
    problems.push(`Its ledger entries sum to ${entered.amount}, those that name it to ${contra.amount}`)
  if (isBatch && (row.entered ?? 0) !== entered.amount)
    problems.push(`Its entries are said to sum to ${row.entered}, they sum to ${entered.amount}`)
  if (row.type === 'payment') problems.push(...entries.flatMap(misplaced))
  return problems
}

function unmirrored(entries: readonly LedgerRow[], mirrors: readonly LedgerRow[]): string[] {
  const open = mirrors.map((mirror) =>
    relation(mirror.transaction_id, mirror.assoc_transaction_id, -(mirror.amount ?? 0)),
  )
  return entries.flatMap((entry) => {
    const found = open.indexOf(relation(entry.assoc_transaction_id, entry.transaction_id, entry.amount ?? 0))
    if (found < 0) return [`Its ledger entry ${entry.id} has no mirror`]
    open.splice(found, 1)
    return []
  })
}

function relation(of: string | null, to: string | null, amount: number): string {
  return `${of} ${to} ${amount}`
}

function misplaced({ id, entry_type: type, amount }: LedgerRow): string[] {
  const sign = SIGNS[type ?? '']
  return sign === undefined || Math.sign(amount ?? 0) === sign
    ? []
    : [`Its ledger entry ${id} of a ${type} is ${amount}`]
}
