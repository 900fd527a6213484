import type { LedgerRow } from '../../../engine/store/database/tables.js'
import type { Minor } from '../../../schema/money.js'
import { isFunded, type Related, type TransactionHistory } from './transaction-history.js'

/** Sign of an entry on a payment, by the type of the other transaction. Types that are omitted may have either sign. */
const SIGNS: Readonly<Partial<Record<NonNullable<LedgerRow['entry_type']>, -1 | 1>>> = {
  deposit: -1,
  refund: -1,
  chargeback: -1,
  chargeback_reversal: 1,
}

/** Every entry has its contra entry on the other side, with the sign of the relation, and sums agree. */
export function ledgerProblems(history: TransactionHistory): string[] {
  const { row, isBatch, entries, contraEntries, entered, contra } = history
  const problems = isBatch ? [] : unmatched(entries, contraEntries)
  if (entered.count !== contra.count)
    problems.push(`It has ${entered.count} ledger entries and ${contra.count} contra entries`)
  if (entered.amount !== -contra.amount)
    problems.push(`Its ledger entries sum to ${entered.amount}, its contra entries to ${contra.amount}`)
  if (isBatch && (row.entered ?? 0) !== entered.amount)
    problems.push(`Its entered is ${row.entered}, and its ledger entries sum to ${entered.amount}`)
  if (row.type === 'payment') problems.push(...entries.flatMap((entry) => misplaced(history, entry)))
  return [...problems, ...entries.flatMap((entry) => relationProblems(history, entry))]
}

function unmatched(entries: readonly LedgerRow[], contraEntries: readonly LedgerRow[]): string[] {
  const open = contraEntries.map(({ transaction_id: of, assoc_transaction_id: to, amount, timestamp }) =>
    relation(of, to, -(amount ?? 0), timestamp),
  )
  return entries.flatMap(({ id, transaction_id: of, assoc_transaction_id: to, amount, timestamp }) => {
    const found = open.indexOf(relation(to, of, amount ?? 0, timestamp))
    if (found < 0) return [`Its ledger entry ${id} has no contra entry`]
    open.splice(found, 1)
    return []
  })
}

function relation(of: string | null, to: string | null, amount: number, at: string | null): string {
  return `${of} ${to} ${amount} ${at}`
}

function misplaced(
  { related }: TransactionHistory,
  { id, entry_type: type, amount, assoc_transaction_id: assoc }: LedgerRow,
): string[] {
  const sign = type && SIGNS[type]
  // A gateway may take a refund out of a payout, which stays a deposit.
  const other = related.get(assoc ?? '')
  if ((other?.settlement_id ?? null) !== null) return []
  // A refund that failed after it was processed has an entry of either sign.
  if (type === 'refund' && other?.status === 'declined') return []
  return sign === undefined || Math.sign(amount ?? 0) === sign
    ? []
    : [`Its ledger entry ${id} of a ${type} is ${amount}`]
}

/** An entry has the type of the other transaction, and both have the same parties. */
function relationProblems({ row, related }: TransactionHistory, entry: LedgerRow): string[] {
  const { id, entry_type: type, assoc_transaction_id: assoc, timestamp, created_at, deleted_at } = entry
  const other = related.get(assoc ?? '')
  if (!other) return [`Its ledger entry ${id} names ${assoc}, which does not exist`]
  return [
    ...(type === other.type
      ? []
      : [`Its ledger entry ${id} has the type ${type}, and ${assoc} is a ${other.type}`]),
    ...(timestamp === created_at ? [] : [`Its ledger entry ${id} of ${timestamp} was made on ${created_at}`]),
    ...(deleted_at === null ? [] : [`Its ledger entry ${id} is deleted`]),
    ...(isSameParties(row, other) ? [] : [`It has other parties than ${assoc}`]),
  ]
}

/** A transaction that follows from a payment has its payer and merchant; a settlement has only the merchant. */
function isSameParties(row: Related, other: Related): boolean {
  if (row.processing_id !== other.processing_id) return false
  if (row.period !== null || other.period !== null) return true
  if (row.settlement_id !== null || other.settlement_id !== null) return true
  return row.customer_id === other.customer_id && row.payment_method_id === other.payment_method_id
}

/**
 * The refunded and charged-back amounts follow from the ledger and do not exceed the payment. A settled payment owes
 * no amount on either side. See docs/money.md, "Refunds", rule 2, and "Ledger and journal".
 */
export function balanceProblems(history: TransactionHistory): string[] {
  const { row } = history
  if (row.type !== 'payment') return notReturned(row.refunded, row.charged_back)
  const { amount, refunded, charged_back: back } = row
  const reserved = reservedOf(history)
  const replayed = replay(history)
  const problems = []
  if (refunded !== replayed.refunded + reserved)
    problems.push(`Its refunded is ${refunded}, and ${replayed.refunded + reserved} by its ledger`)
  if (back !== replayed.chargedBack)
    problems.push(`Its charged_back is ${back}, and ${replayed.chargedBack} by its ledger`)
  if ((refunded ?? 0) + (back ?? 0) > (amount ?? 0))
    problems.push(
      `${refunded} is refunded and ${back} charged back, which is more than its amount of ${amount}`,
    )
  return [...problems, ...replayed.problems, ...owedProblems(history), ...endProblems(history, replayed)]
}

/** Amount that a refund without an outcome has reserved of a payment. */
export function reservedOf({ row, related }: TransactionHistory): Minor {
  const [kind, refund = ''] = row.pending_operation?.split(':') ?? []
  return kind === 'refunding' ? (related.get(refund)?.amount ?? 0) : 0
}

function notReturned(refunded: number | null, chargedBack: number | null): string[] {
  return refunded === 0 && chargedBack === 0 ? [] : ['Only payments can be refunded or charged back']
}

function owedProblems(history: TransactionHistory): string[] {
  const { row, entries } = history
  const { status, amount, awaiting } = row
  if (status !== 'processed' && status !== 'rejected')
    return entries.length === 0 ? [] : [`It is ${status} and has ledger entries`]
  // Amounts of a gateway's payout are the gateway's own report, which the ledger does not determine.
  if (!isFunded(history)) return []
  const owed = (amount ?? 0) + entries.reduce((sum, entry) => sum + (entry.amount ?? 0), 0)
  if (owed < 0) return [`It was settled for ${-owed} too much`]
  const isSettled = awaiting === null || awaiting === 'bill'
  return isSettled && owed !== 0 ? [`${owed} of it is not settled, and it waits for nothing`] : []
}

/** State of a payment after its ledger entries, replayed in the order in which they were made. */
interface Replayed {
  readonly refunded: Minor
  readonly chargedBack: Minor
  readonly isRejected: boolean
  readonly problems: readonly string[]
}

/**
 * Orders to try for entries of one second. Ids of one process follow its time, but ids of two processes at the same
 * moment may not. So entries may also have been made with won disputes first, and a refund before or after a
 * chargeback.
 */
const RANKS: readonly Readonly<Record<string, number>>[] = [
  { chargeback_reversal: -2, refund: -1 },
  { chargeback_reversal: -2, refund: 1 },
]

function replay(history: TransactionHistory): Replayed {
  const isRejected = history.row.status === 'rejected'
  const fits = (one: Replayed) => one.problems.length === 0 && one.isRejected === isRejected
  const byId = replayInOrder(history, history.entries)
  if (fits(byId)) return byId
  return RANKS.map((ranks) => replayInOrder(history, inOrder(history.entries, ranks))).find(fits) ?? byId
}

function inOrder(entries: readonly LedgerRow[], ranks: Readonly<Record<string, number>>): LedgerRow[] {
  const rank = ({ entry_type: type }: LedgerRow) => ranks[type ?? ''] ?? 0
  const seconds: LedgerRow[][] = []
  for (const entry of entries) {
    const last = seconds.at(-1)
    if (last?.[0]?.timestamp === entry.timestamp) last.push(entry)
    else seconds.push([entry])
  }
  return seconds.flatMap((second) => second.toSorted((a, b) => rank(a) - rank(b)))
}

function replayInOrder({ row, related }: TransactionHistory, entries: readonly LedgerRow[]): Replayed {
  let [refunded, chargedBack, isRejected] = [0, 0, false]
  const problems: string[] = []
  for (const { entry_type: type, amount, assoc_transaction_id: id } of entries) {
    const value = amount ?? 0
    if (type === 'refund') refunded -= value
    if (type !== 'chargeback' && type !== 'chargeback_reversal') continue
    chargedBack -= value
    const wasRejected = isRejected
    isRejected = type === 'chargeback' && refunded + chargedBack === row.amount
    // The convenience fee is lost with the last amount of a payment, and returns with it.
    const lost = isRejected || wasRejected ? (row.conv_fee ?? 0) : 0
    const stated = related.get(id ?? '')?.conv_fee
    if (stated !== lost) problems.push(`Its ${type} ${id} has a convenience fee of ${stated}, not ${lost}`)
  }
  problems.push(...wonProblems(entries, related))
  return { refunded: 0 + refunded, chargedBack: 0 + chargedBack, isRejected, problems }
}

/** A won dispute returns the amount that its chargeback took. */
function wonProblems(entries: readonly LedgerRow[], related: TransactionHistory['related']): string[] {
  const disputeOf = ({ assoc_transaction_id: id }: LedgerRow) => related.get(id ?? '')?.dispute
  const taken = entries.filter(({ entry_type: type }) => type === 'chargeback')
  const won = entries.filter(({ entry_type: type }) => type === 'chargeback_reversal')
  return won.flatMap((entry) => {
    const dispute = disputeOf(entry)
    const isTaken = taken.some((each) => disputeOf(each) === dispute && each.amount === -(entry.amount ?? 0))
    return isTaken ? [] : [`Its dispute ${dispute} was won for another amount than it was opened for`]
  })
}

/**
 * The status is `refunded` once processed refunds reach the amount, and `rejected` once a chargeback takes the
 * remainder. A payment stays processed when a refund takes the remainder of a chargeback: the merchant gave it back.
 */
function endProblems({ row }: TransactionHistory, { refunded, chargedBack, isRejected }: Replayed): string[] {
  const { status, amount, charged_back: back, funding_status: funding } = row
  if (status !== 'processed' && status !== 'rejected') return []
  const isRefunded = refunded === amount && chargedBack === 0
  if (isRefunded !== (funding === 'refunded'))
    return [`It is ${funding ?? 'without funding status'}, and ${refunded} of ${amount} is refunded`]
  return isRejected === (status === 'rejected')
    ? []
    : [`It is ${status} with ${back} of ${amount} charged back`]
}
