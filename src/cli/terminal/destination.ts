import type { Json, JsonObject } from '../../schema/json.js'
import { Refusal, UsageError } from './failure/failure.js'
import { has } from './input/body.js'
import { cleanText } from './output/clean.js'
import { valuesOf } from './output/render.js'
import type { SendRequest } from './pages.js'

/** The most accounts that are listed. */
const MAX_LISTED = 20
const ACCOUNTS = '/processing_accounts'

/** What says where a payment goes, besides the processing account: whose it is, or what it pays. */
const LEADING = ['customer_id', 'customer', 'payment_method_id', 'payment_link_id', 'allocations']

/** Whether a payment names nothing that says where it goes. */
export function namesNoDestination(body: JsonObject): boolean {
  return !namesAccount(body) && !LEADING.some((name) => has(body, [name]))
}

/**
 * Makes sure that one who types a payment has chosen where it goes: with several processing accounts, none of which was
 * made the default, it would go to the oldest. `what` is missing, as the operator would give it. Throws a `UsageError`
 * that lists the accounts.
 */
export async function requireDestination(ask: SendRequest, what: string): Promise<void> {
  const fields: [string, string] = ['fields', 'id,name']
  const accounts = await listed(ask, ACCOUNTS, [
    fields,
    ['limit', String(MAX_LISTED)],
    ['order_by', 'created_at'],
  ])
  if (accounts.length < 2) return
  if ((await listed(ask, ACCOUNTS, [fields, ['is_default', 'true'], ['limit', '1']])).length > 0) return
  const lines = accounts.map(({ id, name }) => `${cleanText(textOf(id))} ${cleanText(textOf(name))}`)
  throw new UsageError(
    [
      `Missing ${what}: it could go to any of these accounts. To make one the default: payctl processing-accounts set-default ID`,
      ...lines,
    ].join('\n'),
  )
}

/** The same for one payment: a customer may have a primary account. */
export async function requireDestinationOf(ask: SendRequest, body: JsonObject, what: string): Promise<void> {
  if (namesAccount(body) || (!namesNoDestination(body) && !has(body, ['customer_id']))) return
  const customer = textOf(body.customer_id)
  if (customer !== '') {
    const query: [string, string][] = [
      ['id', customer],
      ['fields', 'primary_processing_id'],
    ]
    const [found] = await listed(ask, '/customers', query)
    // Whoever is not found is refused when the payment is sent.
    if (!found || found.primary_processing_id) return
  }
  await requireDestination(ask, what)
}

function namesAccount(body: JsonObject): boolean {
  return has(body, ['processing_id']) || has(body, ['processing'])
}

/** Nothing where the key may not see them: the service decides then. */
async function listed(
  ask: SendRequest,
  path: string,
  query: readonly [string, string][],
): Promise<readonly JsonObject[]> {
  try {
    return valuesOf((await ask({ method: 'GET', path, query })).body) ?? []
  } catch (error) {
    if (error instanceof Refusal && error.response.status === 403) return []
    throw error
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
