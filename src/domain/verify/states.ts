import type { TransactionRow } from '../../engine/store/database/tables.js'
import { businessDay, type CutOff, wallDateAt } from '../../platform/calendar/cut-off.js'
import { localDate } from '../../platform/calendar/zone.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { refNumber } from '../payments/ref-number.js'
import { isReturn, statusMessage } from '../payments/status-codes.js'
import type { Days, TransactionHistory } from './transaction-history.js'

/** Funding statuses that each status goes with, of what has one. Money: "funding_status". */
const PAIRS: Readonly<Record<string, readonly (string | null)[]>> = {
  declined: [null],
  authorized: ['pending'],
  voided: ['pending'],
  processing: ['pending'],
  processed: ['pending', 'captured', 'batched', 'refunded'],
  rejected: ['reversed'],
}

/** The pair of statuses is one that there is, only what can has one, and what the row says besides goes with both. */
export function statusProblems(history: TransactionHistory): string[] {
  const { id, type, status, funding_status: funding, amount, ref_number: reference } = history.row
  if (type === null || status === null || amount === null) return ['Its type, status or amount is missing']
  if (amount <= 0) return [`Its amount is ${amount}, and must be above zero`]
  const allowed = isFunded(history) ? PAIRS[status] : [null]
  if (!allowed?.includes(funding))
    return [`A ${type} that is ${status} cannot be ${funding ?? 'without funding status'}`]
  if (type !== 'payment' && (status === 'authorized' || status === 'voided' || status === 'rejected'))
    return [`A ${type} cannot be ${status}`]
  return [
    ...(reference === refNumber(id) ? [] : [`Its reference is ${reference}, and should be ${refNumber(id)}`]),
    ...codeProblems(history),
    ...partProblems(history),
    ...dateProblems(history),
    ...openProblems(history),
  ]
}

/** Payments, credits and refunds that name no payment are funded; the rest follows from others. */
function isFunded({ row, entries }: TransactionHistory): boolean {
  if (row.type === 'payment' || row.type === 'credit') return true
  if (row.type !== 'refund') return false
  const names =
    row.open_operation?.startsWith('refund:') || entries.some((entry) => entry.entry_type === 'payment')
  return !names
}

/** Codes of what went well; whatever else a gateway says is a decline. */
const GOOD_CODES: Readonly<Record<NonNullable<TransactionRow['type']>, string>> = {
  payment: 'approved',
  refund: 'approved',
  credit: 'approved',
  chargeback: 'chargeback',
  chargeback_reversal: 'dispute_won',
  deposit: 'deposited',
  reversal: 'taken_back',
}

function codeProblems({ row, isBatch }: TransactionHistory): string[] {
  const { status_code: code, status_message: message } = row
  const problems = message === statusMessage(code) ? [] : [`Its message for ${code} is "${message}"`]
  return isCode(row, isBatch)
    ? problems
    : [...problems, `A ${row.type} that is ${row.status} has the code ${code}`]
}

function isCode({ type, status, status_code: code }: TransactionRow, isBatch: boolean): boolean {
  const disputed = code === 'chargeback' || isReturn(code)
  switch (status) {
    case 'processing':
      return code === (isBatch ? 'batching' : null)
    case 'authorized':
      return code === 'approved'
    case 'voided':
      return code === 'voided'
    case 'rejected':
      return disputed
    case 'declined':
      return (
        code !== null && code !== 'voided' && code !== 'batching' && !Object.values(GOOD_CODES).includes(code)
      )
    case 'processed':
      return type === 'chargeback' ? disputed : code === GOOD_CODES[type ?? 'payment']
    case null:
      return false
  }
}

/** What only some transactions have, they have, and nothing else does. */
function partProblems(history: TransactionHistory): string[] {
  const { row, isBatch, isAttempt } = history
  const { type, status, dispute, automatic, asked_status: requested, deleted_at: deleted } = row
  const isDispute = type === 'chargeback' || type === 'chargeback_reversal'
  const isAutomatic = automatic === 1
  const problems = isBatch ? batchProblems(row) : []
  if (isDispute !== (dispute !== null)) problems.push(`A ${type} has the dispute ${dispute}`)
  if (isBatch !== (row.entered !== null))
    problems.push(`A ${type} for ${row.period} has ${row.entered} entered`)
  if (isAttempt !== isAutomatic || (automatic !== null && !isAutomatic))
    problems.push(`Its automatic is ${automatic}, and no invoice was collected by it`)
  if (requested === null ? type === 'payment' : !APPROVALS.has(requested))
    problems.push(`It was to become ${requested}`)
  if (deleted !== null && status !== 'declined' && status !== 'voided')
    problems.push(`It is ${status} and deleted`)
  return problems
}

/** What an approval can lead to. */
const APPROVALS: ReadonlySet<string> = new Set(['processed', 'authorized'])

function batchProblems({ type, period }: TransactionRow): string[] {
  const problems = /^\d{4}-\d\d(-\d\d)?$/.test(period ?? '') ? [] : [`It is for ${period}`]
  return type === 'deposit' || type === 'reversal' ? problems : [...problems, `A ${type} is for ${period}`]
}

/** The day on which it was processed is that of what it has booked. */
function dateProblems({ row, isBatch, postings, days }: TransactionHistory): string[] {
  const { status, processed_date: date } = row
  const booked = isBatch ? postings.at(-1) : postings[0]
  const isProcessed =
    status === 'processed' || status === 'rejected' || (status === 'voided' && booked !== undefined)
  if (!isProcessed) return date === null ? [] : [`It is ${status}, and was processed on ${date}`]
  return booked && date !== null && isDayOf(date, booked.created_at, days)
    ? []
    : [`It was processed on ${date}, and booked on ${booked?.created_at ?? 'no day'}`]
}

/**
 * Whether a date was on the wall of the account at a moment. In which zone that was is not known once the account has
 * changed; older versions wrote the date in UTC.
 */
function isDayOf(date: string, moment: string, days: Days | undefined): boolean {
  const instant = millisecondsOf(moment)
  if (date === dateOf(moment)) return true
  if (days && moment > days.changedAt) return date === wallDateAt(days.cutOff, instant)
  return date === dateOf(datetimeOf(instant - FARTHEST)) || date === dateOf(datetimeOf(instant + FARTHEST))
}

/** No clock on a wall is farther from UTC. */
const FARTHEST = 14 * 3_600_000

/** An outcome that is not known yet belongs to a status that waits for it, and the other side knows of it. */
function openProblems({ row, isBatch, related }: TransactionHistory): string[] {
  const { id, status, open_operation: open } = row
  if (open === null)
    return status === 'processing' && !isBatch ? ['It is processing, and nothing is under way'] : []
  const [kind = '', other = ''] = open.split(':')
  const fits = OPEN[kind]?.includes(status ?? '') ?? false
  const answers: Readonly<Record<string, string>> = { refund: `refunding:${id}`, refunding: `refund:${id}` }
  const answer = answers[kind]
  const isKnown = answer === undefined || related.get(other)?.open_operation === answer
  return fits && isKnown ? [] : [`${open} is under way while it is ${status}`]
}

const OPEN: Readonly<Record<string, readonly string[]>> = {
  sale: ['processing'],
  authorize: ['processing'],
  credit: ['processing'],
  blind_refund: ['processing'],
  refund: ['processing'],
  refunding: ['processed'],
  capture: ['authorized'],
  void: ['authorized', 'processed'],
}

/** Only what moved money on the way in, a chargeback and a settlement have fees. Money: "Fees". */
export function feeProblems({ row, isBatch }: TransactionHistory): string[] {
  const { type, status, fee, conv_fee: convFee, accrued_fee: accrued } = row
  const isFree = status === 'declined' || status === 'voided'
  const bearsFee = !isFree && (type === 'payment' || type === 'chargeback' || isBatch)
  const bearsConvFee =
    !isFree && (type === 'payment' || type === 'chargeback' || type === 'chargeback_reversal')
  const missing = [fee, convFee, accrued].includes(null) ? [`A ${type} says nothing of a fee`] : []
  return [
    ...missing,
    ...[
      ...(bearsFee ? [] : costs('fee', fee)),
      ...(bearsFee ? [] : costs('accrued fee', accrued)),
      ...(bearsConvFee ? [] : costs('convenience fee', convFee)),
    ].map((problem) => `A ${type} that is ${status} ${problem}`),
  ]
}

function costs(what: string, amount: number | null): string[] {
  return (amount ?? 0) === 0 ? [] : [`has a ${what} of ${amount}`]
}

type Awaited = TransactionRow['awaiting']

/** What the settlement has still to do follows from the status, and is due when a business day ends. */
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

/** What a transaction may wait for as it is. */
function awaitable({ row, isBatch, entries }: TransactionHistory): readonly Awaited[] {
  const { type, status, charged_by: charged } = row
  if (isBatch) return awaitableByBatch(row)
  if (status !== 'processed' && status !== 'rejected') return [null]
  switch (type) {
    case 'payment':
      return awaitableByPayment(row)
    case 'chargeback':
      return (row.fee ?? 0) + (row.accrued_fee ?? 0) > 0 && charged === null ? ['funding', 'bill'] : [null]
    case 'refund':
    case 'credit':
      return entries.some((entry) => entry.entry_type === 'payment')
        ? [null]
        : (PAID_OUT[row.funding_status ?? ''] ?? [])
    default:
      return [null]
  }
}

/** What a blind refund or a credit waits for. */
const PAID_OUT: Readonly<Record<string, readonly Awaited[]>> = {
  pending: ['cut_off'],
  captured: ['funding'],
  batched: [null],
}

/** Money that comes back by a dispute that was won waits for a deposit again. */
function awaitableByPayment(row: TransactionRow): readonly Awaited[] {
  const { funding_status: funding, charged_by: charged } = row
  const isCharged = charged !== null || (row.fee ?? 0) + (row.accrued_fee ?? 0) + (row.conv_fee ?? 0) === 0
  switch (funding) {
    case 'pending':
      return ['cut_off']
    case 'batched':
      return charged === null ? [] : [null, 'funding']
    // What was captured may have gone back before a deposit, in part by each of refunds and disputes.
    default:
      return ['cut_off', 'funding', isCharged ? null : 'bill']
  }
}

/** A deposit waits for its parts, and what it carries for the bill; the bill goes by the day of its account. */
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

/** Business days end at a time of their own, but in which zone it was is not known once the account has changed. */
function cutOffProblems({ row, days }: TransactionHistory, due: string): string[] {
  const at = millisecondsOf(due)
  const isKnown = days !== undefined && days.changedAt <= row.created_at
  const ends = isKnown ? isDayEnd(days.cutOff, at) : at % QUARTER === 0
  return ends ? [] : [`It is due at ${due}, when no business day ends`]
}
