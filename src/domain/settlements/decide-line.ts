import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { ExceptionKind, Resolution } from '../exceptions/raise-exception.js'

/** What our side has of a line. */
export type Ours = Pick<
  TransactionRow,
  'id' | 'type' | 'status' | 'status_code' | 'amount' | 'conv_fee' | 'excess' | 'processing_id'
>

export interface LineDecision {
  readonly status: 'matched' | 'differs' | 'unmatched' | 'waiting'
  /** The line's amount without ours, in minor units; nothing where nothing can be compared. */
  readonly difference: Minor | null
  /** Why an operator has to look at it. */
  readonly exception?: {
    readonly kind: ExceptionKind
    /** How much is at stake; all of the line unless given. */
    readonly amount?: Minor
    readonly explanation: string
    /** What is missing may be a loss; what is too much is none. */
    readonly resolutions: readonly Resolution[]
  }
}

export interface LineContext {
  /** Whether the rail voids what was captured by a refund: it settles both. */
  readonly voidsByRefund: boolean
  readonly isOurCurrency: boolean
  /** The gateway's id of another line that has settled the same. */
  readonly settledBy?: string | undefined
}

type Line = Pick<GatewaySettlementLine, 'id' | 'kind' | 'amount' | 'reference' | 'gatewayId'>

/** What a line of a settlement comes to beside the transaction that it names. Gateways: "Settlements". */
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
      // What was approved in part has an exception of its own; a refund that failed is settled back.
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

/** What was taken or paid out once more than we know: a link would lead to what is settled. */
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
  const resolutions: readonly Resolution[] = difference < 0 ? ['loss', 'ignore'] : ['ignore']
  return {
    status: 'differs',
    difference,
    exception: {
      kind: 'settlement_differs',
      explanation,
      resolutions,
      // What came back of a refund stands beside the line of that, which is as it is here.
      amount: isRefundBack(line) ? line.amount : Math.abs(difference),
    },
  }
}

/** Whether it is what came back of a refund that failed: refunds themselves are paid out. */
function isRefundBack({ kind, amount }: Line): boolean {
  return kind === 'refund' && amount > 0
}

type Raised = Partial<Pick<NonNullable<LineDecision['exception']>, 'kind' | 'resolutions'>>

/** Of a refund that was given up here, what was paid out is lost. */
function lateApproval({ amount }: Line): Raised {
  return { kind: 'late_approval', resolutions: amount < 0 ? ['loss', 'ignore'] : ['refund', 'ignore'] }
}

function unexplained(
  line: Line,
  why: string,
  {
    kind = 'settlement_differs',
    resolutions = line.amount < 0 ? ['link', 'loss', 'ignore'] : ['link', 'ignore'],
  }: Raised = {},
): LineDecision {
  const explanation = `The gateway settles a ${line.kind} of ${formatMoney(line.amount)}, ${nameOf(line)}, which ${why}`
  return { status: 'unmatched', difference: null, exception: { kind, explanation, resolutions } }
}

function nameOf({ id, reference, gatewayId }: Line): string {
  return gatewayId ?? reference ?? id
}

/** What the gateway moves for a transaction: above zero where the merchant gets it. Payers bear convenience fees. */
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
 * What of a line is between the payment and its payout: what of it the merchant is owed or owes. Convenience fees are ours,
 * and so is what a bank takes beyond a payment. 0 where nothing was booked here for it.
 */
export function amountDue({ amount }: Pick<Line, 'amount'>, ours: Ours): Minor {
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
