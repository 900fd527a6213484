import type { Environment, Tx } from '../../engine/store/database/store.js'
import { datetimeOf } from '../../schema/datetime.js'
import { type CheckResult, warning } from './check-result.js'

const DAY = 86_400_000

/**
 * Warns of gateways of the live environment whose notifications do not arrive. Either no secret for notifications is
 * stored, or no notification came within a day with payments. `now` is the real time, in milliseconds since 1970.
 */
export async function checkNotifications(
  { db }: Tx,
  environment: Environment,
  now: number,
): Promise<CheckResult[]> {
  if (environment !== 'live') return []
  const gateways = await db
    .selectFrom('admin_gateways')
    .select(['name', 'verifies_notifications', 'notified_at', 'created_at'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute()
  const found: CheckResult[] = []
  const dayAgo = datetimeOf(now - DAY)
  for (const { name, verifies_notifications: verifies, notified_at: last, created_at: made } of gateways) {
    const check = `gateways ${name}`
    const fix = `payctl gateways update ${name} --endpoint --env ${environment}`
    if (verifies === 0) {
      found.push(warning(check, 'no secret is kept, so that none of its notifications is believed', fix))
      continue
    }
    if (made > dayAgo || (last !== null && last >= dayAgo)) continue
    const { count } = await db
      .selectFrom('transactions')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('gateway', '=', name)
      .where('type', '=', 'payment')
      .where('gateway_id', 'is not', null)
      .where('created_at', '>=', dayAgo)
      .executeTakeFirstOrThrow()
    if (Number(count) > 0)
      found.push(warning(check, `took ${count} payments within a day, and has notified of none`, fix))
  }
  return found
}

/** Matches hosts that only this machine can reach. */
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/

/** Warns if gateways and payers cannot reach the public address of the live environment. */
export async function checkPublicAddress(
  { db }: Tx,
  environment: Environment,
  address: string | undefined,
): Promise<CheckResult[]> {
  if (environment !== 'live' || address === undefined || !URL.canParse(address)) return []
  const { hostname, origin } = new URL(address)
  if (!LOCAL.test(hostname)) return []
  const gateway = await db
    .selectFrom('admin_gateways')
    .select('id')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (!gateway) return []
  return [
    warning(
      'public address',
      `${origin} is given to gateways and payers, and only this machine reaches it`,
      'payctl config set public-url https://<your address>',
    ),
  ]
}
