import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import type { Resolution } from '../exceptions/raise-exception.js'
import type { Direction } from '../ledger/postings.js'

/** Resolutions after which a line needs no transaction. */
const EXPLAINING: ReadonlySet<Resolution | null> = new Set([
  'loss',
  'cost',
  'reserve',
  'reserve_released',
  'transfer',
  'refund',
  'ignore',
])

/** Direction of a line's amount. */
export function directionOf({ amount }: Pick<GatewaySettlementLine, 'amount'>): Direction {
  return amount > 0 ? 'paid' : 'taken'
}

/**
 * The exception whose resolution explains the amount of a line. An exception explains at most one line in each
 * direction. It also explains the line of the refund that its resolution has requested.
 */
export async function explanationOf(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
): Promise<ExceptionRow | undefined> {
  const own = await raisedAbout(work, gateway, line.gatewayId ?? line.id)
  const parents = line.parentId ? await raisedAbout(work, gateway, line.parentId) : []
  for (const raised of [
    ...own.filter((each) => isExplanation(each, line)),
    ...parents.filter(
      ({ resolution }) => line.kind === 'refund' && line.amount < 0 && resolution === 'refund',
    ),
  ]) {
    if (raised.amount !== Math.abs(line.amount)) continue
    const explained = await work.findBy(resources.settlement_line, 'exception_id', raised.id)
    if (explained.every(({ amount }) => directionOf({ amount: amount ?? 0 }) !== directionOf(line)))
      return raised
  }
  return undefined
}

function isExplanation(raised: ExceptionRow, line: GatewaySettlementLine): boolean {
  if (raised.direction !== null && raised.direction !== directionOf(line)) return false
  // The amount of a failed refund has come back, whatever the operator decides.
  return (
    raised.kind === 'refund_failed' || (raised.status === 'resolved' && EXPLAINING.has(raised.resolution))
  )
}

/**
 * Whether another exception already covers the money of a line. That exception is open, was resolved as a loss, or
 * requested this refund as its resolution. An exception covers one line; another line of the same amount gets its own.
 */
export async function isRaised(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
  { about, amount }: { readonly about: string; readonly amount: Minor },
): Promise<boolean> {
  if (await hasTwin(work, gateway, line)) return false
  const same = await raisedAbout(work, gateway, line.gatewayId ?? line.id)
  const parents = line.parentId ? await raisedAbout(work, gateway, line.parentId) : []
  return [
    ...same.filter(({ status, resolution }) => status === 'open' || resolution === 'loss'),
    ...parents.filter(({ resolution }) => resolution === 'refund'),
  ].some((raised) => raised.about !== about && raised.amount === amount)
}

/** Whether another line, without a transaction, has the same kind, amount and object. */
async function hasTwin(
  work: Work,
  gateway: string,
  { id, gatewayId, amount, kind }: GatewaySettlementLine,
): Promise<boolean> {
  if (gatewayId === undefined) return false
  const lines = await work.findBy(resources.settlement_line, 'gateway_id', gatewayId)
  return lines.some(
    (each) =>
      each.gateway === gateway &&
      each.line_id !== id &&
      each.kind === kind &&
      each.amount === amount &&
      (each.status === 'unmatched' || each.exception_id !== null),
  )
}

async function raisedAbout(work: Work, gateway: string, gatewayId: string): Promise<ExceptionRow[]> {
  const found = await work.findBy(resources.exception, 'gateway_id', gatewayId)
  return found.filter((raised) => raised.gateway === gateway)
}
