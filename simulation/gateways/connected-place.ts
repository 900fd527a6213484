import { type App, type AppOptions, openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { QueryPair } from '../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import { idOf, valuesOf } from '../../test/support/core.js'
import type { Place } from '../../test/support/databases.js'
import { processingAccount } from '../../test/support/examples.js'

/** Data for clients of an installation whose payments go to a rail. */
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

/** Opens an installation in this process, as its operator. */
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

/** Connects an installation to a rail; makes an account that takes payments, and a key. */
export async function connectPlace(
  place: Place,
  { configuration }: Pick<WireServer, 'configuration'>,
): Promise<Merchant> {
  return await asOperator(place, async (ask) => {
    const gatewayId = idOf(await ask('POST', '/admin/gateways', { name: 'rail', ...configuration }))
    await ask('PUT', '/admin/gateway_routes', { default: 'rail' })
    const processingId = idOf(await ask('POST', '/processing_accounts', processingAccount()))
    const { secret_key: secretKey } = await ask('POST', '/admin/keys', {})
    return { secretKey: String(secretKey), processingId, gatewayId }
  })
}

/** Every transaction, in the order of creation. */
export async function allTransactions(ask: Ask): Promise<readonly JsonObject[]> {
  const listed: JsonObject[] = []
  for (;;) {
    const last = listed.at(-1)
    const page = valuesOf(
      await ask('GET', '/transactions', undefined, [
        ['limit', '1000'],
        ['order_by', 'id'],
        ['fields', '*,conv_fee,gateway_id'],
        ...(last ? [['after', idOf(last)] as const] : []),
      ]),
    )
    listed.push(...page)
    if (page.length < 1000) return listed
  }
}

const minor = (value: unknown) => Math.round(100 * Number(value ?? 0))

/** Sum of payments less refunds, in minor units. */
export function takenBy(transactions: readonly JsonObject[]): number {
  return transactions
    .filter(({ status }) => status === 'processed' || status === 'rejected')
    .reduce((sum, { type, amount, conv_fee: fee }) => {
      if (type === 'payment') return sum + minor(amount) + minor(fee)
      return type === 'refund' || type === 'credit' ? sum - minor(amount) : sum
    }, 0)
}

/**
 * Compares the books with the rail's, once both are at rest. An open exception explains its amount; any other
 * difference is a problem.
 */
export async function compareBooks(ask: Ask, taken: number): Promise<string[]> {
  const transactions = await allTransactions(ask)
  const open = transactions.filter(({ status }) => status === 'processing')
  const exceptions = valuesOf(
    await ask('GET', '/admin/exceptions', undefined, [
      ['status', 'open'],
      ['limit', '1000'],
    ]),
  )
  const explained = exceptions
    .filter(({ kind }) => kind === 'late_approval' || kind === 'partial_approval')
    .reduce((sum, { amount, transaction_id: id }) => {
      const isPaidOut = transactions.some((each) => each.id === id && each.type === 'refund')
      return sum + (isPaidOut ? -minor(amount) : minor(amount))
    }, 0)
  const ours = takenBy(transactions) + explained
  const { found } = await ask('GET', '/admin/verify')
  return [
    ...open.map(({ id, type }) => `${type} ${id} has no outcome`),
    ...(ours === taken ? [] : [`The rail has taken ${taken}, and our books and exceptions say ${ours}`]),
    ...(found === 0 ? [] : [`verify found ${found}`]),
  ]
}
