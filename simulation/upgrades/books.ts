import type { Core } from '../../src/engine/core/core.js'
import type { Principal } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'

/** What the code of an older commit answered. */
export interface OldAnswers {
  /** The name of the last migration that it knew. */
  readonly last: string
  /** Requests with an idempotency key, with their answers as texts. */
  readonly kept: readonly Kept[]
  /** Objects by the path of their list. */
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>
}

export interface Kept {
  readonly path: string
  readonly body: JsonObject
  readonly idempotencyKey: string
  readonly answer: string
}

export const LISTS = [
  '/processing_accounts',
  '/customers',
  '/payment_methods',
  '/transactions',
  '/transaction_ledgers',
  '/receipts',
  '/invoices',
  '/line_items',
  '/billing_schedules',
  '/payment_links',
]

export interface Asked {
  readonly core: Core
  readonly principal: Principal
}

/** Sends a request with a key; answers the text of what must have succeeded. */
export async function askKept({ core, principal }: Asked, request: Omit<Kept, 'answer'>): Promise<string> {
  const { status, body } = await core.handle({ method: 'POST', query: [], principal, ...request })
  if (status !== 200) throw new Error(`POST ${request.path}: ${status} ${JSON.stringify(body)}`)
  return JSON.stringify(body)
}

/** Everything that a list shows, as JSON. */
export async function askList({ core, principal }: Asked, path: string): Promise<JsonObject[]> {
  const query: [string, string][] = [['limit', '1000']]
  const { status, body } = await core.handle({ method: 'GET', path, query, principal })
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
  return JSON.parse(JSON.stringify(body)).values
}
