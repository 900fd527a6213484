import type { LedgerRow, TransactionRow } from '../../../src/engine/store/database/tables.js'
import { grouped, type Kept } from './kept.js'
import { isLinkedRefund, isTaken } from './status.js'

/**
 * Checks that every entry has one contra entry, with the sign of the relation. Refunded and charged-back amounts must
 * be the sums of refunds and chargebacks. Only amounts that wait for a deposit may be owed. See docs/money.md, "Ledger
 * and journal".
 */
export function ledgerProblems({ transactions, entries }: Kept): string[] {
  const byId = new Map(transactions.map((row) => [row.id, row]))
  const entriesOf = grouped(entries, (entry) => entry.transaction_id ?? '')
  return [
    ...contraProblems(entries, byId),
    ...transactions.flatMap((row) => {
      const own = (entriesOf.get(row.id) ?? []).map((entry) => related(entry, byId))
      return row.type === 'payment' ? paymentProblems(row, own) : otherProblems(row, own)
    }),
  ]
}

function contraProblems(entries: readonly LedgerRow[], byId: ReadonlyMap<string, TransactionRow>): string[] {
  const seen = grouped(entries, relationOf)
  return entries.flatMap((entry) => {
    const { id, transaction_id: of, assoc_transaction_id: assoc, entry_type, amount } = entry
    const contra = seen.get(relation(assoc, of, -(amount ?? 0))) ?? []
    return [
      ...(contra.length === 1 ? [] : [`entry ${id} has ${contra.length} contra entries`]),
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

/** An entry, and the transaction that it is associated with. */
interface Related {
  readonly entry: LedgerRow
  readonly assoc: TransactionRow | undefined
}

function related(entry: LedgerRow, byId: ReadonlyMap<string, TransactionRow>): Related {
  return { entry, assoc: byId.get(entry.assoc_transaction_id ?? '') }
}

function paymentProblems(row: TransactionRow, own: readonly Related[]): string[] {
  const { id, amount, refunded, charged_back: chargedBack } = row
  const sumOf = (type: string) => sum(own.filter(({ assoc }) => assoc?.type === type))
  const given = -sumOf('refund') + 0
  const lost = -sumOf('chargeback') - sumOf('chargeback_reversal') + 0
  return [
    ...own.flatMap(({ entry, assoc }) => signProblems(id, entry, assoc)),
    ...(given === refunded ? [] : [`${id} has ${refunded} refunded, its refunds sum to ${given}`]),
    ...(lost === chargedBack ? [] : [`${id} has ${chargedBack} charged back, its disputes sum to ${lost}`]),
    ...(given + lost <= (amount ?? 0) ? [] : [`${id} of ${amount} has ${given} and ${lost} back`]),
    ...owedProblems(row, own),
  ]
}

/**
 * Checks that the payer's side has no open amount, and that open amounts of the account wait for a deposit.
 */
function owedProblems(row: TransactionRow, own: readonly Related[]): string[] {
  const { id, amount, awaiting, funding_status: funding } = row
  const owed = (amount ?? 0) + sum(own)
  const waits = awaiting === 'cut_off' || awaiting === 'funding'
  const isBatched = own.some(({ assoc }) => assoc && isBatch(assoc))
  const isFresh = funding === 'pending' || funding === 'captured'
  return [
    ...(owed >= 0 ? [] : [`${id} is owed ${owed}`]),
    ...(isTaken(row) && owed > 0 && !waits ? [`${id} is owed ${owed} and waits for ${awaiting}`] : []),
    ...(isBatched && isFresh ? [`${id} is ${funding} and stands in a deposit`] : []),
    ...(!isBatched && funding === 'batched' ? [`${id} is batched and stands in no deposit`] : []),
  ]
}

/**
 * Checks that entries that take money from a payment are negative, and so are all entries of a settlement.
 */
function signProblems(id: string, { amount }: LedgerRow, assoc: TransactionRow | undefined): string[] {
  if (!assoc) return []
  const gives = assoc.type === 'chargeback_reversal' || (assoc.type === 'reversal' && !isBatch(assoc))
  const isWhole = isBatch(assoc) || Math.abs(amount ?? 0) === (assoc.amount ?? 0) - (assoc.excess ?? 0)
  return [
    ...((amount ?? 0) > 0 === gives ? [] : [`${id} has ${amount} by a ${assoc.type}`]),
    ...(isWhole ? [] : [`${id} has ${amount} by ${assoc.id} of ${assoc.amount}`]),
  ]
}

/** A deposit or reversal of a funding run, or a bill. */
export function isBatch({ period }: TransactionRow): boolean {
  return period !== null
}

function otherProblems(row: TransactionRow, own: readonly Related[]): string[] {
  const { id } = row
  if (isBatch(row)) return batchProblems(row, own)
  const actual = own.map(({ entry }) => entry.amount)
  const expected = expectedEntries(row)
  return expected.join() === actual.join() ? [] : [`${id} has entries of ${actual}, not ${expected}`]
}

function expectedEntries(row: TransactionRow): (number | null)[] {
  const { type, amount, funding_status: funding } = row
  // The amount that a bank took beyond the payment is in no ledger.
  const disputed = (amount ?? 0) - (row.excess ?? 0)
  switch (type) {
    case 'refund':
    case 'credit':
      return isLinkedRefund(row) || funding === 'batched' ? [amount] : []
    case 'chargeback':
      return disputed === 0 ? [] : [disputed]
    case 'chargeback_reversal':
      return disputed === 0 ? [] : [0 - disputed]
    case 'reversal':
      return [0 - (amount ?? 0)]
    default:
      return []
  }
}

/** Checks that `amount + fee` is the sum of a deposit's entries, and `fee - amount` that of a reversal's. */
function batchProblems(
  { id, type, amount, fee, entered }: TransactionRow,
  own: readonly Related[],
): string[] {
  const total = sum(own)
  const expected = type === 'deposit' ? (amount ?? 0) + (fee ?? 0) : (fee ?? 0) - (amount ?? 0)
  const strangers = own.filter(({ assoc }) => !['payment', 'refund', 'credit'].includes(assoc?.type ?? ''))
  return [
    ...(total === expected ? [] : [`${id} has entries of ${total}, not ${expected}`]),
    ...(total === entered ? [] : [`${id} has entries of ${total}, and ${entered} entered`]),
    ...strangers.map(({ assoc }) => `${id} holds a ${assoc?.type}`),
  ]
}

function sum(own: readonly Related[]): number {
  return own.reduce((total, { entry }) => total + (entry.amount ?? Number.NaN), 0)
}
