import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { wallDateAt } from '../../../platform/calendar/cut-off.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { isReturn, statusMessage } from '../../../schema/status-codes.js'
import { refNumber } from '../../payments/parties/ref-number.js'
import { isAwaitingPayer } from '../../payments/pending/awaited-payer.js'
import type { PendingOperation } from '../../payments/pending/pending-operation.js'
import { type Days, hasFundingStatus, type TransactionHistory } from './transaction-history.js'

/**
 * Funding statuses allowed with each status, for transactions that have one. See docs/money.md, "Cut-off and
 * deposits".
 */
const PAIRS: Readonly<
  Record<NonNullable<TransactionRow['status']>, readonly TransactionRow['funding_status'][]>
> = {
  declined: [null],
  authorized: ['pending'],
  // Older versions left the funding status as it was.
  voided: [null, 'pending'],
  processing: ['pending'],
  processed: ['pending', 'captured', 'batched', 'refunded'],
  rejected: ['reversed'],
}

/** Status, funding status and the other attributes of a row agree. */
export function statusProblems(history: TransactionHistory): string[] {
  const { id, type, status, funding_status: funding, amount, ref_number: reference } = history.row
  if (type === null || status === null || amount === null) return ['Its type, status or amount is missing']
  if (amount <= 0) return [`Its amount is ${amount}, and must be above zero`]
  const allowed = hasFundingStatus(history) ? PAIRS[status] : [null]
  if (!allowed.includes(funding))
    return [`A ${type} that is ${status} cannot be ${funding ?? 'without funding status'}`]
  if (type !== 'payment' && (status === 'authorized' || status === 'voided' || status === 'rejected'))
    return [`A ${type} cannot be ${status}`]
  return [
    ...(reference === refNumber(id) ? [] : [`Its reference is ${reference}, and should be ${refNumber(id)}`]),
    ...codeProblems(history),
    ...partProblems(history),
    ...capturedProblems(history.row),
    ...awaitedProblems(history.row),
    ...dateProblems(history),
    ...openProblems(history),
  ]
}

/** Status code of a success, by type; every other code of a gateway is a decline. */
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

function isCode(row: TransactionRow, isBatch: boolean): boolean {
  const { type, status, status_code: code } = row
  const disputed = code === 'chargeback' || isReturn(code)
  switch (status) {
    case 'processing':
      return isBatch ? code === 'batching' : code === null || (type === 'payment' && isAwaitingPayer(row))
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

/** Dispute, settlement, automatic payment and requested status are set only on the transactions to which they apply. */
function partProblems(history: TransactionHistory): string[] {
  const { row, isBatch, isAttempt } = history
  const { type, status, dispute, automatic, requested_status: requested, deleted_at: deleted } = row
  const isDispute = type === 'chargeback' || type === 'chargeback_reversal'
  const isAutomatic = automatic === 1
  const problems = isBatch ? batchProblems(row) : []
  if (isDispute !== (dispute !== null)) problems.push(`A ${type} has the dispute ${dispute}`)
  if (isBatch !== (row.entered !== null))
    problems.push(`A ${type} for the period ${row.period} has ${row.entered} as entered`)
  if (isAttempt !== isAutomatic || (automatic !== null && !isAutomatic))
    problems.push(
      `Its automatic is ${automatic}, and it is ${isAttempt ? 'an' : 'no'} attempt to collect an invoice`,
    )
  if (requested === null ? type === 'payment' : !APPROVALS.has(requested))
    problems.push(`Its requested status is ${requested}`)
  if (deleted !== null && status !== 'declined' && status !== 'voided')
    problems.push(`It is ${status} and deleted`)
  return problems
}

/** Only a payment that waits for its payer has a step that the payer should take. */
function awaitedProblems(row: TransactionRow): string[] {
  return row.next_action__expires_at === null || isAwaitingPayer(row)
    ? []
    : [`It is ${row.status} and has a step that its payer should take`]
}

/** A partly captured payment had a larger amount when it was authorized, and is not authorized any more. */
function capturedProblems({ type, status, amount, authorized_amount: authorized }: TransactionRow): string[] {
  if (authorized === null) return []
  const isCaptured = status === 'processed' || status === 'rejected' || status === 'voided'
  return type === 'payment' && isCaptured && authorized > (amount ?? 0)
    ? []
    : [`A ${type} of ${amount} that is ${status} has the authorized_amount ${authorized}`]
}

/** Statuses that an approval can lead to. */
const APPROVALS: ReadonlySet<string> = new Set(['processed', 'authorized'])

function batchProblems({ type, period }: TransactionRow): string[] {
  const problems = /^\d{4}-\d\d(-\d\d)?$/.test(period ?? '') ? [] : [`Its period is ${period}`]
  return type === 'deposit' || type === 'reversal'
    ? problems
    : [...problems, `A ${type} has the period ${period}`]
}

/** `processed_date` is the local date of the posting. */
function dateProblems({ row, isBatch, postings, days }: TransactionHistory): string[] {
  const { status, processed_date: date } = row
  const booked = isBatch ? postings.at(-1) : postings[0]
  const isProcessed =
    status === 'processed' ||
    status === 'rejected' ||
    // A refund may fail after it was processed.
    ((status === 'voided' || (status === 'declined' && row.type !== 'payment')) && booked !== undefined)
  if (!isProcessed) return date === null ? [] : [`It is ${status}, and has the processed_date ${date}`]
  return booked && date !== null && isDayOf(date, booked.created_at, days)
    ? []
    : [
        booked
          ? `Its processed_date is ${date}, and it was booked at ${booked.created_at}`
          : `Its processed_date is ${date}, and nothing was booked`,
      ]
}

/**
 * Whether a date was the account's local date at a moment. The zone at the time is unknown once the account has
 * changed; older versions wrote the date in UTC.
 */
function isDayOf(date: string, moment: string, days: Days | undefined): boolean {
  const instant = millisecondsOf(moment)
  if (date === dateOf(moment)) return true
  if (days && moment > days.changedAt) return date === wallDateAt(days.cutOff, instant)
  return date === dateOf(datetimeOf(instant - FARTHEST)) || date === dateOf(datetimeOf(instant + FARTHEST))
}

/** Largest offset of a local time from UTC, in milliseconds. */
const FARTHEST = 14 * 3_600_000

/** A pending operation fits the status, and the other transaction of a refund names the same operation. */
function openProblems({ row, isBatch, related }: TransactionHistory): string[] {
  const { id, status, pending_operation: open } = row
  if (open === null)
    return status === 'processing' && !isBatch ? ['It is processing, and has no pending operation'] : []
  const [kind = '', other = ''] = open.split(':')
  const fits = OPEN[kind]?.includes(status ?? '') ?? false
  const answers: Readonly<Record<string, string>> = { refund: `refunding:${id}`, refunding: `refund:${id}` }
  const answer = answers[kind]
  // The text may have a third part, the time at which a postponed refund was sent. That part is not compared.
  const answered = related.get(other)?.pending_operation?.split(':').slice(0, 2).join(':')
  const isKnown = answer === undefined || answered === answer
  return fits && isKnown ? [] : [`Its pending operation ${open} does not go with the status ${status}`]
}

/** Statuses of a transaction with each pending operation. */
const OPEN: Readonly<Record<string, readonly string[]>> = {
  sale: ['processing'],
  authorize: ['processing'],
  credit: ['processing'],
  blind_refund: ['processing'],
  refund: ['processing'],
  refunding: ['processed'],
  capture: ['authorized'],
  void: ['authorized', 'processed'],
  undo: ['processing'],
} satisfies Record<PendingOperation['kind'], readonly TransactionRow['status'][]>

/** Only payments, chargebacks, deposits, reversals and bills have fees. See docs/money.md, "Fees". */
export function feeProblems({ row, isBatch }: TransactionHistory): string[] {
  const { type, status, fee, conv_fee: convFee, accrued_fee: accrued, settlement_id: settlement } = row
  const isFree = status === 'declined' || status === 'voided'
  const bearsFee = !isFree && (type === 'payment' || type === 'chargeback' || isBatch || settlement !== null)
  const bearsConvFee =
    !isFree && (type === 'payment' || type === 'chargeback' || type === 'chargeback_reversal')
  const missing = [fee, convFee, accrued].includes(null)
    ? [`A ${type} lacks its fee, accrued fee or convenience fee`]
    : []
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
