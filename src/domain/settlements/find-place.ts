import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow, SettlementRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { CURRENCY } from '../../schema/money.js'
import { payoutsIn, payoutsOf } from '../ledger/payouts.js'
import { readPending } from '../payments/pending/pending-operation.js'
import { failRefund, isRefundBusy } from '../payments/refund/fail-refund.js'
import { decideLine, isRefundBack, type LineDecision } from './decide-line.js'
import { explanationOf } from './explained-line.js'
import { type Booked, bookedOf } from './line-postings.js'
import { matchLine } from './match-line.js'

/** The settlement of a line, and the gateway that reports it. */
export interface LineSource {
  readonly settlement: Pick<SettlementRow, 'id' | 'gateway_id' | 'currency' | 'net'>
  readonly gateway: Pick<RemoteGateway, 'name' | 'capabilities'>
  /** Account of the lines without a transaction: fees and unexplained amounts. */
  readonly accountOfRest: string | null
  /** All lines of the settlement: some cancel others. */
  readonly lines: readonly GatewaySettlementLine[]
}

/** Decision on a line, with the transaction and the account that it belongs to. */
export interface LinePlace {
  readonly decision: LineDecision
  readonly ours: TransactionRow | undefined
  /** The exception whose resolution explains the line. */
  readonly explanation: ExceptionRow | undefined
  readonly account: string | null
  readonly booked: Booked
}

export async function findPlace(
  work: Work,
  source: LineSource,
  line: GatewaySettlementLine,
): Promise<LinePlace> {
  const { settlement, gateway, accountOfRest, lines } = source
  const isOurCurrency = settlement.currency === CURRENCY
  const found = (await matchLine(work, gateway.name, line)) ?? (await linkedTo(work, gateway.name, line))
  const isBack = found !== undefined && isBackOf(found, line)
  const isBusy = isBack && (await isRefundBusy(work, found))
  const ours = isBack && !isBusy ? await failedBy(work, found, line) : found
  const voidsByRefund = gateway.capabilities.voidCaptured === 'refund'
  const settledBy = ours && (await lineThatSettles(work, ours, line))
  const isCancelled = ours?.status === 'declined' && (await hasCounterpart(work, ours, line, lines))
  // A line waits while an operation on its payment is pending, because the operation may change the decision.
  const decided: LineDecision =
    isBusy || isChanging(found)
      ? { status: 'waiting', difference: null }
      : decideLine(line, ours, { voidsByRefund, isOurCurrency, settledBy, isCancelled })
  const explanation =
    decided.status === 'unmatched' && isOurCurrency
      ? await explanationOf(work, gateway.name, line)
      : undefined
  const decision: LineDecision = explanation ? { status: 'matched', difference: 0 } : decided
  const named = explanation?.processing_id ?? ours?.processing_id ?? accountOfRest
  const account = line.kind === 'fee' ? accountOfRest : named
  const payouts =
    account === null ? payoutsIn(work.environment, null) : await payoutsOf(work, { processing_id: account })
  const rail = { isOurCurrency, reportsPayouts: settlement.net !== null }
  const isOutside = explanation?.resolution === 'ignore'
  const booked = bookedOf({ ...decision, isOutside }, rail, payouts)
  return { decision, ours, explanation, account, booked }
}

/** Whether a payment is being captured or voided, and the outcome is not known. */
function isChanging(found: TransactionRow | undefined): boolean {
  const pending = found?.pending_operation ? readPending(found.pending_operation).kind : undefined
  return pending === 'capture' || pending === 'void'
}

/** Whether a line returns the amount of a refund that is still `processed` here. */
function isBackOf({ type, status, amount }: TransactionRow, line: GatewaySettlementLine): boolean {
  return isRefundBack(line) && type === 'refund' && status === 'processed' && amount === line.amount
}

/** Records that a refund failed, because a line returns its amount. Returns the changed refund. */
async function failedBy(
  work: Work,
  ours: TransactionRow,
  line: GatewaySettlementLine,
): Promise<TransactionRow> {
  return await failRefund(work, ours, {
    gatewayId: line.gatewayId ?? ours.gateway_id,
    statusCode: 'declined',
    code: line.type ?? null,
  })
}

/**
 * Whether another line moves the same amount in the opposite direction, in the same settlement or in an earlier one.
 */
async function hasCounterpart(
  work: Work,
  ours: TransactionRow,
  line: GatewaySettlementLine,
  lines: readonly GatewaySettlementLine[],
): Promise<boolean> {
  const isOf = ({ reference, gatewayId, parentId }: GatewaySettlementLine) =>
    reference === ours.id || [gatewayId, parentId].some((id) => id !== undefined && id === ours.gateway_id)
  if (lines.some((each) => each.amount === -line.amount && isOf(each))) return true
  const stored = await work.findBy(resources.settlement_line, 'transaction_id', ours.id)
  return stored.some(({ amount, status }) => amount === -line.amount && status !== 'failed')
}

/**
 * The gateway's id of another line that settles the transaction in the same direction; undefined if a later line has
 * cancelled it.
 */
async function lineThatSettles(
  work: Work,
  { id }: TransactionRow,
  line: GatewaySettlementLine,
): Promise<string | undefined> {
  const lines = await work.findBy(resources.settlement_line, 'transaction_id', id)
  const others = lines.filter(
    ({ line_id, kind, status }) => status === 'matched' && line_id !== line.id && kind === line.kind,
  )
  const settled = others.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const before = others.find(({ amount }) => (amount ?? 0) > 0 === line.amount > 0)
  return settled !== 0 && settled > 0 === line.amount > 0 ? (before?.line_id ?? undefined) : undefined
}

/** The transaction to which an operator has linked a line that matched no transaction. */
async function linkedTo(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
): Promise<TransactionRow | undefined> {
  const [raised] = await work.findBy(resources.exception, 'about', exceptionAbout(gateway, line))
  if (raised?.resolution !== 'link' || raised.transaction_id === null) return undefined
  const linked = await work.find(resources.transaction, raised.transaction_id)
  return linked?.gateway === gateway ? linked : undefined
}

/** Key of the exception about a line. */
export function exceptionAbout(
  gateway: string,
  { kind, id }: { readonly kind: string; readonly id: string },
): string {
  return `settlement line ${gateway} ${kind} ${id}`
}
