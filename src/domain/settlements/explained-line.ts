import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import type { GatewaySettlementLine } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'

/** The exception that was resolved as the loss of a line's amount; each explains one line. */
export async function lossOf(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
): Promise<ExceptionRow | undefined> {
  for (const raised of await raisedAbout(work, gateway, line.gatewayId ?? line.id)) {
    if (raised.resolution !== 'loss' || raised.amount !== -line.amount) continue
    const [explained] = await work.findBy(resources.settlement_line, 'exception_id', raised.id)
    if (!explained) return raised
  }
  return undefined
}

/**
 * Whether another exception concerns the money of a line already. It is open, was a loss, or was refunded, and the
 * line is that refund.
 */
export async function isRaised(
  work: Work,
  gateway: string,
  line: GatewaySettlementLine,
  { about, amount }: { readonly about: string; readonly amount: Minor },
): Promise<boolean> {
  const same = await raisedAbout(work, gateway, line.gatewayId ?? line.id)
  const parents = line.parentId ? await raisedAbout(work, gateway, line.parentId) : []
  return [
    ...same.filter(({ status, resolution }) => status === 'open' || resolution === 'loss'),
    ...parents.filter(({ resolution }) => resolution === 'refund'),
  ].some((raised) => raised.about !== about && raised.amount === amount)
}

async function raisedAbout(work: Work, gateway: string, gatewayId: string): Promise<ExceptionRow[]> {
  const found = await work.findBy(resources.exception, 'gateway_id', gatewayId)
  return found.filter((raised) => raised.gateway === gateway)
}
