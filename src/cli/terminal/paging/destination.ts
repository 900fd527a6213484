import type { Json, JsonObject } from '../../../schema/json.js'
import { ifAllowed, UsageError } from '../failure/failure.js'
import { has } from '../input/body.js'
import { cleanText } from '../output/clean.js'
import { valuesOf } from '../output/render.js'
import type { SendRequest } from './pages.js'

/** Maximum number of accounts that an error lists. */
const MAX_LISTED = 20
const ACCOUNTS = '/processing_accounts'

/** Attributes besides the account that determine the destination of a payment: its payer, link or invoices. */
const LEADING = ['customer_id', 'customer', 'payment_method_id', 'payment_link_id', 'allocations']

/** Whether a payment has no attribute that determines the paid account. */
export function namesNoDestination(body: JsonObject): boolean {
  return !namesAccount(body) && !LEADING.some((name) => has(body, [name]))
}

/**
 * Refuses a payment without a destination if there are several processing accounts and no default: it would
 * go to the oldest. With a key that may not list accounts, a destination is always required. `what` is the
 * missing input, as the operator would give it. Throws a `UsageError` that lists the accounts.
 */
export async function requireDestination(ask: SendRequest, what: string): Promise<void> {
  const fields: [string, string] = ['fields', 'id,name']
  const accounts = await listed(ask, ACCOUNTS, [
    fields,
    ['limit', String(MAX_LISTED)],
    ['order_by', 'created_at'],
  ])
  if (!accounts)
    throw new UsageError(
      `Missing ${what}: the key may not list processing accounts, so the payment has to say where it goes`,
    )
  if (accounts.length < 2) return
  const [byDefault] = (await listed(ask, ACCOUNTS, [fields, ['is_default', 'true'], ['limit', '1']])) ?? []
  if (byDefault) return
  const lines = accounts.map(({ id, name }) => `${cleanText(textOf(id))} ${cleanText(textOf(name))}`)
  throw new UsageError(
    [
      `Missing ${what}: it could go to any of these accounts. To make one the default: payctl processing-accounts set-default ID`,
      ...lines,
    ].join('\n'),
  )
}

/** Refuses a single payment as `requireDestination` does, unless its customer has a primary account. */
export async function requireDestinationOf(ask: SendRequest, body: JsonObject, what: string): Promise<void> {
  if (namesAccount(body) || (!namesNoDestination(body) && !has(body, ['customer_id']))) return
  const customer = textOf(body.customer_id)
  if (customer !== '') {
    const query: [string, string][] = [
      ['id', customer],
      ['fields', 'primary_processing_id'],
    ]
    const customers = await listed(ask, '/customers', query)
    // An unknown customer is refused when the payment is sent.
    if (customers && (!customers[0] || customers[0].primary_processing_id)) return
  }
  await requireDestination(ask, what)
}

function namesAccount(body: JsonObject): boolean {
  return has(body, ['processing_id']) || has(body, ['processing'])
}

/** Objects of a list; undefined if the key may not see them. */
async function listed(
  ask: SendRequest,
  path: string,
  query: readonly [string, string][],
): Promise<readonly JsonObject[] | undefined> {
  const answer = await ifAllowed(ask({ method: 'GET', path, query }))
  return answer && (valuesOf(answer.body) ?? [])
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
