import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { ExceptionKind, Resolution } from '../exceptions/raise-exception.js'

/** Columns of a stored transaction that a settlement line is compared with. */
export type Ours = Pick<
  TransactionRow,
  | 'id'
  | 'type'
  | 'status'
  | 'status_code'
  | 'amount'
  | 'conv_fee'
  | 'excess'
  | 'processing_id'
  | 'processed_date'
>

export interface LineDecision {
  readonly status: 'matched' | 'differs' | 'unmatched' | 'waiting'
  /**
   * The line's amount less the amount expected for the transaction, in minor units; null if they cannot be compared.
   */
  readonly difference: Minor | null
  /** Exception for an operator to decide; omitted if the line fits. */
  readonly exception?: {
    readonly kind: ExceptionKind
    /** Amount at stake; by default that of the line. */
    readonly amount?: Minor
    readonly happened: string
    readonly explanation: string
    /** Resolutions that an operator may choose. A missing amount can be a loss; a surplus cannot. */
    readonly resolutions: readonly Resolution[]
  }
}

export interface LineContext {
  /** Whether the rail voids a captured payment by a refund, so that a settlement has lines for both. */
  readonly voidsByRefund: boolean
  readonly isOurCurrency: boolean
  /** The gateway's id of another line that has already settled the transaction. */
  readonly settledBy?: string | undefined
  /** Whether another line moves the same amount in the opposite direction. */
  readonly isCancelled?: boolean
}

type Line = Pick<
  GatewaySettlementLine,
  'id' | 'kind' | 'amount' | 'reference' | 'gatewayId' | 'type' | 'description'
>

/** Decides on a line of a settlement, given the transaction that it names. See docs/gateways.md, "Settlements". */
export function decideLine(line: Line, ours: Ours | undefined, context: LineContext): LineDecision {
  if (!context.isOurCurrency) return unexplained(line, 'is in another currency', { resolutions: ['ignore'] })
  if (line.kind === 'fee') return { status: 'matched', difference: null }
  if (!ours) return unexplained(line, 'is not here')
  if (context.settledBy !== undefined) return settledTwice(line, ours, context.settledBy)
  switch (ours.status) {
    case 'processing':
      return { status: 'waiting', difference: null }
    case 'declined':
      if (ours.status_code === 'never_sent')
        return unexplained(line, `was given up here (${ours.id})`, lateApproval(line))
      if (isCancelling(line, ours, context)) return { status: 'matched', difference: 0 }
      // A partial approval has an exception of its own. The amount of a failed refund comes back in another settlement
      // line.
      return ours.type === 'payment' && ours.status_code !== 'partial_approval'
        ? unexplained(line, `was declined here (${ours.id})`, lateApproval(line))
        : unexplained(line, `was declined here (${ours.id})`)
    case 'authorized':
      return unexplained(line, `is only authorized here (${ours.id})`)
    case 'voided':
      return context.voidsByRefund && !isRefundBack(line)
        ? { status: 'matched', difference: 0 }
        : unexplained(line, `was voided here (${ours.id})`)
    case 'processed':
    case 'rejected':
    case null:
      return compared(line, ours)
  }
}

/**
 * Decides on a line whose transaction is already settled by another line. `link` is not offered: it would lead to that
 * transaction.
 */
function settledTwice(line: Line, { id }: Ours, settledBy: string): LineDecision {
  return unexplained(line, `was settled by ${settledBy} before (${id})`, {
    resolutions: line.amount < 0 ? ['loss', 'ignore'] : ['ignore'],
  })
}

function compared(line: Line, ours: Ours): LineDecision {
  const expected = expectedAmount(ours)
  const difference = line.amount - expected
  if (difference === 0) return { status: 'matched', difference }
  const explanation = `The gateway settles ${formatMoney(line.amount)} of ${nameOf(line)}, and it is ${formatMoney(expected)} here (${ours.id})`
  const resolutions: readonly Resolution[] = difference < 0 ? ['cost', 'loss', 'ignore'] : ['ignore']
  return {
    status: 'differs',
    difference,
    exception: {
      kind: 'settlement_differs',
      happened: happenedIn(line),
      explanation,
      resolutions,
      // The line of the refund itself matches, so the whole returned amount is at stake.
      amount: isRefundBack(line) ? line.amount : Math.abs(difference),
    },
  }
}

/**
 * Whether the line's amount is moved back by another line although the transaction is declined. This happens when a
 * bank debit fails after its settlement, or a refund after its payout.
 */
function isCancelling(
  { kind, amount: moved }: Line,
  { type, amount, processed_date: date }: Ours,
  { isCancelled = false }: LineContext,
): boolean {
  if (type === 'payment') return (kind === 'payment' || kind === 'return') && isCancelled
  return kind === 'refund' && date !== null && Math.abs(moved) === amount
}

/** Whether a line returns the amount of a failed refund; the line of a refund itself has an amount below zero. */
export function isRefundBack({ kind, amount }: Pick<Line, 'kind' | 'amount'>): boolean {
  return kind === 'refund' && amount > 0
}

type Raised = Partial<Pick<NonNullable<LineDecision['exception']>, 'kind' | 'resolutions'>>

/**
 * Exception for an operation that payctl gave up and the gateway executed. A payment can be refunded; money that was
 * paid out can only be a loss.
 */
function lateApproval({ amount }: Line): Raised {
  return { kind: 'late_approval', resolutions: amount < 0 ? ['loss', 'ignore'] : ['refund', 'ignore'] }
}

function unexplained(
  line: Line,
  why: string,
  { kind = 'settlement_differs', resolutions = fitting(line) }: Raised = {},
): LineDecision {
  const explanation = `The gateway settles ${/^[aeiou]/.test(line.kind) ? 'an' : 'a'} ${line.kind} of ${formatMoney(line.amount)}, ${nameOf(line)}, which ${why}`
  const happened = happenedIn(line)
  return { status: 'unmatched', difference: null, exception: { kind, happened, explanation, resolutions } }
}

/** The resolutions that fit a line without a transaction. */
function fitting({ kind, amount }: Line): readonly Resolution[] {
  const isTaken = amount < 0
  switch (kind) {
    case 'reserve':
      return [isTaken ? 'reserve' : 'reserve_released', 'ignore']
    case 'transfer':
      return ['transfer', 'ignore']
    case 'other':
      return isTaken
        ? ['cost', 'reserve', 'transfer', 'loss', 'ignore']
        : ['cost', 'reserve_released', 'transfer', 'ignore']
    default:
      return isTaken ? ['link', 'loss', 'ignore'] : ['link', 'ignore']
  }
}

/** Description of the amount that the gateway has settled, in the gateway's words. */
function happenedIn(line: Line): string {
  const { kind, type = kind, description, amount } = line
  const words = description === undefined ? '' : `, "${description}"`
  return `${amount < 0 ? 'Taken' : 'Paid'} by the gateway: ${formatMoney(Math.abs(amount))} as ${type}${words} (${nameOf(line)})`
}

function nameOf({ id, reference, gatewayId }: Line): string {
  return gatewayId ?? reference ?? id
}

/**
 * Amount that the gateway moves for a transaction, convenience fee included; above zero if the merchant receives it.
 */
function expectedAmount({ type, amount, conv_fee: convFee }: Ours): Minor {
  const all = (amount ?? 0) + (convFee ?? 0)
  switch (type) {
    case 'payment':
    case 'chargeback_reversal':
      return all
    default:
      return -all
  }
}

/**
 * The merchant's part of a line's amount; below zero if the merchant owes it. Convenience fees, and amounts that a bank
 * takes beyond a payment, belong to the service. 0 if the transaction has no postings.
 */
export function amountDue({ amount }: Pick<Line, 'amount'>, ours: Ours): Minor {
  // A refund that failed late is in its payment's ledger twice: as it was paid out, and as it came back.
  if (ours.type === 'refund' && ours.status === 'declined' && ours.processed_date !== null) return amount
  if (ours.status !== 'processed' && ours.status !== 'rejected') return 0
  const convFee = ours.conv_fee ?? 0
  const excess = ours.excess ?? 0
  switch (ours.type) {
    case 'payment':
      return amount - convFee
    case 'chargeback':
      return amount + convFee + excess
    case 'chargeback_reversal':
      return amount - convFee - excess
    default:
      return amount
  }
}
