import { type App, type AppOptions, openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import { idOf, valuesOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { processingAccount } from '../../test/support/examples.js'

/** Key and ids with which clients pay at an installation that is connected to a rail. */
export interface Merchant {
  readonly secretKey: string
  readonly processingId: string
  readonly gatewayId: string
}

/** Sends a request as the operator, and returns the body. Throws if it fails. */
export type Ask = (
  method: Method,
  path: string,
  body?: Json,
  query?: readonly QueryPair[],
) => Promise<JsonObject>

/** Opens an installation in this process, and lets `use` send requests as its operator. */
export async function asOperator<T>(
  place: Place,
  use: (ask: Ask, app: App) => Promise<T>,
  options: Partial<AppOptions> = {},
): Promise<T> {
  const { home, databaseUrl } = place
  const where = databaseUrl === undefined ? { home } : { home, databaseUrl }
  const app = openApp({ ...where, gatewayLoopback: true, ...options })
  try {
    return await use(await askIn(app), app)
  } finally {
    await app.close()
  }
}

async function askIn(app: App): Promise<Ask> {
  const { core } = await app.environment('test')
  return async (method, path, body, query = []) => {
    const answer = await core.handle({ method, path, body, query, principal: owner })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}

/**
 * Connects an installation to a rail. Creates a processing account, whose deposits follow the rail's payouts, and a
 * key.
 */
export async function connectPlace(
  place: Place,
  { configuration }: Pick<WireServer, 'configuration'>,
): Promise<Merchant> {
  return await asOperator(place, async (ask) => {
    const gatewayId = idOf(await ask('POST', '/admin/gateways', { name: 'rail', ...configuration }))
    await ask('PUT', '/admin/gateway_routes', { default: 'rail' })
    const processingId = idOf(await ask('POST', '/processing_accounts', processingAccount()))
    const settings = { duplicate_window: 0, risk_check_enabled: false }
    const processing = { status: 'active', settings, payouts: 'gateway' }
    await ask('PUT', `/processing_accounts/${processingId}`, { processing })
    const { secret_key: secretKey } = await ask('POST', '/admin/keys', { manage: true })
    return { secretKey: String(secretKey), processingId, gatewayId }
  })
}

/** All transactions, in the order of creation. */
export async function allTransactions(ask: Ask): Promise<readonly JsonObject[]> {
  return await allOf(ask, '/transactions', [['fields', '*,conv_fee,gateway_id,unexplained']])
}

/** All objects of a list, in the order of creation. */
export async function allOf(
  ask: Ask,
  path: string,
  query: readonly QueryPair[] = [],
): Promise<readonly JsonObject[]> {
  const listed: JsonObject[] = []
  for (;;) {
    const last = listed.at(-1)
    const page = valuesOf(
      await ask('GET', path, undefined, [
        ['limit', '1000'],
        ['order_by', 'id'],
        ...query,
        ...(last ? [['after', idOf(last)] as const] : []),
      ]),
    )
    listed.push(...page)
    if (page.length < 1000) return listed
  }
}
