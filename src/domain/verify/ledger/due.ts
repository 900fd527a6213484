import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { businessDay, type CutOff } from '../../../platform/calendar/cut-off.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { hasFundingStatus, isFunded, type TransactionHistory } from './transaction-history.js'

type Awaited = TransactionRow['awaiting']

/**
 * Problems of `awaiting` and `due_at`: `awaiting` must follow from the status, and `due_at` must be the end of a
 * business day.
 */
export function dueProblems(history: TransactionHistory): string[] {
  const { awaiting, due_at: due, status, funding_status: funding, charged_by: charged } = history.row
  const allowed = awaitable(history)
  const isDated = awaiting !== null && awaiting !== 'bill'
  return [
    ...(allowed.includes(awaiting)
      ? []
      : [`It is ${status}, ${funding}, and awaits ${awaiting ?? 'nothing'}`]),
    ...(isDated === (due !== null) ? [] : [`It awaits ${awaiting ?? 'nothing'}, due at ${due}`]),
    ...(awaiting === 'bill' && charged !== null ? [`It awaits the bill, and was charged by ${charged}`] : []),
    ...(due === null ? [] : cutOffProblems(history, due)),
  ]
}

/** Values that `awaiting` may have, by the status of the transaction. */
function awaitable(history: TransactionHistory): readonly Awaited[] {
  const { row, isBatch, entries } = history
  const { type, status, charged_by: charged } = row
  if (isBatch) return awaitableByBatch(row)
  if (status !== 'processed' && status !== 'rejected') return [null]
  if (!isFunded(history)) return awaitableUnfunded(history)
  switch (type) {
    case 'payment':
      return awaitableByPayment(row)
    case 'chargeback':
      return (row.fee ?? 0) + (row.accrued_fee ?? 0) > 0 && charged === null ? ['funding', 'bill'] : [null]
    case 'refund':
    case 'credit':
      return entries.some((entry) => entry.entry_type === 'payment')
        ? [null]
        : ((row.funding_status && PAID_OUT[row.funding_status]) ?? [])
    default:
      return [null]
  }
}

/**
 * Transactions that no funding run pays await at most the end of their business day, after which they cannot be voided.
 */
function awaitableUnfunded(history: TransactionHistory): readonly Awaited[] {
  if (!hasFundingStatus(history)) return [null]
  return history.row.funding_status === 'pending' ? ['cut_off'] : ['cut_off', null]
}

/**
 * Values of `awaiting` for a blind refund or a credit, by funding status. A gateway may settle it, which captures it,
 * before its business day ends.
 */
const PAID_OUT: Readonly<Partial<Record<NonNullable<TransactionRow['funding_status']>, readonly Awaited[]>>> =
  {
    pending: ['cut_off'],
    captured: ['cut_off', 'funding'],
    batched: [null],
  }

/** A dispute that is won lets a payment await a deposit again. */
function awaitableByPayment(row: TransactionRow): readonly Awaited[] {
  const { funding_status: funding, charged_by: charged } = row
  const isCharged = charged !== null || (row.fee ?? 0) + (row.accrued_fee ?? 0) + (row.conv_fee ?? 0) === 0
  switch (funding) {
    case 'pending':
      return ['cut_off']
    case 'batched':
      return charged === null ? [] : [null, 'funding']
    // A captured payment may have been refunded and charged back, in parts, before any deposit.
    default:
      return ['cut_off', 'funding', isCharged ? null : 'bill']
  }
}

/** A deposit awaits its parts, then the bill for the fees that it carries. `awaiting` of a bill is null. */
function awaitableByBatch({
  status,
  period,
  accrued_fee: carried,
  charged_by: charged,
}: TransactionRow): readonly Awaited[] {
  if (status === 'processing') return (period ?? '').length > 'YYYY-MM'.length ? ['parts'] : [null]
  return (carried ?? 0) > 0 && charged === null ? ['bill'] : [null]
}

const QUARTER = 15 * 60_000

/** Whether a business day ends at an instant. */
function isDayEnd(cutOff: CutOff, at: number): boolean {
  const date = localDate(cutOff.timeZone, at)
  return businessDay(cutOff, date).endsAt === at
}

/**
 * `due_at` is the end of a business day at the account's cut-off. If the account has changed since, its earlier time
 * zone is unknown, and any quarter of an hour is accepted. The same holds for deposits: they have the due time of their
 * payments.
 */
function cutOffProblems({ row, days, isBatch }: TransactionHistory, due: string): string[] {
  const at = millisecondsOf(due)
  const isKnown = days !== undefined && !isBatch && days.changedAt < row.created_at
  const ends = isKnown ? isDayEnd(days.cutOff, at) : at % QUARTER === 0
  return ends ? [] : [`It is due at ${due}, when no business day ends`]
}
