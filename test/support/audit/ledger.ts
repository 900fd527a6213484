import type { LedgerRow, TransactionRow } from '../../../src/store/tables.js'
import { grouped, type Kept } from './kept.js'
import { isLinkedRefund } from './status.js'

/** Every entry has one mirror, each linked refund one relation, and what is refunded is what the refunds say. */
export function ledgerProblems({ transactions, entries }: Kept): string[] {
  const byId = new Map(transactions.map((row) => [row.id, row]))
  const entriesOf = grouped(entries, (entry) => entry.transaction_id ?? '')
  return [
    ...mirrorProblems(entries, byId),
    ...transactions.flatMap((row) => ownProblems(row, entriesOf.get(row.id) ?? [], byId)),
  ]
}

function mirrorProblems(entries: readonly LedgerRow[], byId: ReadonlyMap<string, TransactionRow>): string[] {
  const seen = grouped(entries, relationOf)
  return entries.flatMap((entry) => {
    const { id, transaction_id: of, assoc_transaction_id: assoc, entry_type, amount } = entry
    const mirrors = seen.get(relation(assoc, of, -(amount ?? 0))) ?? []
    return [
      ...(mirrors.length === 1 ? [] : [`entry ${id} has ${mirrors.length} mirrors`]),
      ...(byId.get(assoc ?? '')?.type === entry_type ? [] : [`entry ${id} calls ${assoc} a ${entry_type}`]),
    ]
  })
}

function relationOf({ transaction_id, assoc_transaction_id, amount }: LedgerRow): string {
  return relation(transaction_id, assoc_transaction_id, amount ?? 0)
}

function relation(of: string | null, assoc: string | null, amount: number): string {
  return `${of} ${assoc} ${amount}`
}

function ownProblems(
  row: TransactionRow,
  own: readonly LedgerRow[],
  byId: ReadonlyMap<string, TransactionRow>,
): string[] {
  const { id, type, amount, refunded } = row
  if (type !== 'payment') {
    const expected = isLinkedRefund(row) ? [amount] : []
    const actual = own.map((entry) => entry.amount)
    return expected.join() === actual.join() ? [] : [`${id} has entries of ${actual}, not ${expected}`]
  }
  const refunds = own.map(({ assoc_transaction_id }) => byId.get(assoc_transaction_id ?? ''))
  const sum = refunds.reduce((total, refund) => total + (refund?.amount ?? Number.NaN), 0)
  return [
    ...(sum === refunded ? [] : [`${id} has ${refunded} refunded, its refunds sum to ${sum}`]),
    ...((refunded ?? 0) <= (amount ?? 0) ? [] : [`${id} of ${amount} has ${refunded} refunded`]),
  ]
}
