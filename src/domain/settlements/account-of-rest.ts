import type { Work } from '../../engine/core/write/work.js'
import type { GatewaySettlement } from '../../gateways/contract.js'
import { matchLine } from './match-line.js'

/**
 * The processing account of lines without a transaction: the only account of the merchant or gateway, otherwise that of
 * the first line with a transaction. Null if there is none.
 */
export async function accountOfRestIn(
  work: Work,
  gateway: string,
  { merchant, lines }: GatewaySettlement,
): Promise<string | null> {
  const only = await onlyAccount(work, gateway, merchant)
  if (only !== null) return only
  for (const line of lines) {
    const account = (await matchLine(work, gateway, line))?.processing_id
    if (account) return account
  }
  return null
}

async function onlyAccount(
  { tx }: Work,
  gateway: string,
  merchant: string | undefined,
): Promise<string | null> {
  const routed = await tx.db
    .selectFrom('gateway_routes as r')
    .innerJoin('admin_gateways as g', 'g.id', 'r.gateway_id')
    .select(['r.processing_id', 'r.merchant'])
    .where('g.name', '=', gateway)
    .where('g.deleted_at', 'is', null)
    .execute()
  for (const routes of [
    routed.filter((route) => merchant !== undefined && route.merchant === merchant),
    routed,
  ]) {
    const named = new Set(routes.map(({ processing_id: id }) => id))
    const [only = null] = named
    if (named.size === 1 && only !== null) return only
  }
  const accounts = await tx.db
    .selectFrom('accounts')
    .select('id')
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null)
    .limit(2)
    .execute()
  return accounts.length === 1 ? (accounts[0]?.id ?? null) : null
}
