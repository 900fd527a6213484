import type { QueryPair } from '../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import { bankAccount, card, processingAccount } from '../../test/support/examples.js'
import { type Operation, operations, resourceAt } from './document.js'
import { hostile, hostileText } from './hostile.js'
import { queryOf } from './query.js'
import { type Making, spoilt, valueFor } from './values.js'

export type Method = Operation['method']

/** Way in which a request is sent: straight to the core, or over HTTP with a kind of body. `Who` is its sender. */
export type Wire = 'core' | 'json' | 'form' | 'multipart' | 'broken'
export type Who = 'operator' | 'plain' | 'narrowed' | 'client' | 'nobody'

export interface FuzzRequest {
  readonly method: Method
  readonly path: string
  readonly query: readonly QueryPair[]
  readonly body?: Json
  readonly idempotencyKey?: string
  readonly dryRun: boolean
  readonly count: boolean
  readonly wire: Wire
  readonly who: Who
}

/** Generates a random request from the OpenAPI document. */
export function requestOf(making: Making): FuzzRequest {
  const { chance } = making
  const operation = operationOf(making)
  const body = bodyOf(making, operation)
  const key = chance.percent(6) ? idempotencyKeyOf(making) : undefined
  return {
    method: chance.percent(97)
      ? operation.method
      : (chance.pick(['GET', 'POST', 'PUT', 'DELETE'] as const) ?? 'GET'),
    path: pathOf(making, operation.template),
    query: queryOf(making, operation),
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    // Most requests that affect all objects are dry runs.
    dryRun: chance.percent(isSweeping(operation) ? 80 : 6),
    count: chance.percent(8),
    wire: wireOf(making),
    who: whoOf(making),
  }
}

/** Paths about money, which are requested more often than others. */
const BUSY = /^\/(transactions|invoices|customers|payment_methods|billing_schedules)(\/\{id\})?$/
const BUSY_OPERATIONS = operations.filter(({ template }) => BUSY.test(template))
/** Paths that read the whole database, which are requested rarely. */
const WHOLE = /^\/admin\/(verify|clock|(funding|billing)\/.*)$/

function operationOf({ chance }: Making): Operation {
  for (;;) {
    const operation = chance.pick(chance.percent(30) ? BUSY_OPERATIONS : operations)
    if (operation && (!WHOLE.test(operation.template) || chance.percent(10))) return operation
  }
}

function isSweeping({ method, template }: Operation): boolean {
  return (method === 'DELETE' || method === 'PUT') && !template.includes('{')
}

function pathOf(making: Making, template: string): string {
  const { chance } = making
  const segments = template.split('/')
  const written: string[] = []
  for (const segment of segments) written.push(segmentOf(making, segments, segment, written))
  const path = written.join('/')
  if (!chance.percent(3)) return path
  const tricks = [
    '/',
    '/.',
    '/..',
    '/%2e%2e/',
    '/%2f',
    '/%00',
    '/%',
    '/*',
    '/{id}',
    ';a=b',
    '/0',
    '/__proto__',
    '/%C3%28',
  ]
  return path + (chance.pick(tricks) ?? '')
}

/** A path segment; for `{id}`, a random id, usually of an object that is related to the preceding id. */
function segmentOf(
  { chance, known }: Making,
  template: readonly string[],
  segment: string,
  before: readonly string[],
): string {
  if (!segment.startsWith('{')) return segment
  if (chance.percent(3)) return encodeURIComponent(hostileText(chance).replace(/[\ud800-\udfff]/g, ''))
  if (chance.percent(6)) return known.id(chance)
  if (segment === '{id}') return known.id(chance, ownerOf(template.slice(0, before.length)))
  const object = segment.slice(1, -'_id}'.length)
  const related = known.relatedTo(before.at(-2) ?? '', object)
  return related !== undefined && chance.percent(80) ? related : known.id(chance, object)
}

/** Name of the objects in the collection before an `{id}`. */
function ownerOf(segments: readonly string[]): string | undefined {
  const path = segments.slice(1).join('/')
  return resourceAt(path)
}

/** Typical bodies that a random generator would hardly produce, by path. */
const EXAMPLES: Readonly<Record<string, (making: Making) => JsonObject>> = {
  '/transactions': ({ chance, known }) => ({
    type: chance.pick(['payment', 'payment', 'payment', 'credit', 'refund']) ?? 'payment',
    amount: chance.integer(1, 20_000) / 100,
    processing_id: known.id(chance, 'processing_account'),
    payment_method: chance.percent(80) ? card() : bankAccount(),
    ...(chance.percent(25) ? { status: 'authorized' } : {}),
    ...(chance.percent(20) ? { ledger: [{ assoc_transaction_id: known.id(chance, 'transaction') }] } : {}),
  }),
  '/transactions/{id}': ({ chance }) => ({
    status: chance.pick(['voided', 'processed', 'authorized']) ?? null,
  }),
  '/processing_accounts': () => processingAccount(),
  '/customers': ({ chance, known }) => ({
    name: 'Ada Park',
    primary_processing_id: known.id(chance, 'processing_account'),
    payment_methods: [{ ...card(), default_payment_method: true }],
  }),
  '/invoices': ({ chance, known }) => ({
    processing_id: known.id(chance, 'processing_account'),
    customer_id: known.id(chance, 'customer'),
    items: [{ entry_type: 'charge', amount: chance.integer(1, 5_000) / 100, description: 'Books' }],
  }),
  '/line_items': ({ chance, known }) => ({
    entry_type: chance.percent(50) ? 'payment' : 'charge',
    invoice_id: known.id(chance, 'invoice'),
    transaction_id: known.id(chance, 'transaction'),
    amount: chance.integer(1, 5_000) / 100,
  }),
  '/billing_schedules': ({ chance, known }) => ({
    processing_id: known.id(chance, 'processing_account'),
    customer_id: known.id(chance, 'customer'),
    recurring_frequency: chance.pick(['daily', 'weekly', 'monthly', 'annually']) ?? null,
    start_date: '2026-11-01',
    charges: [{ amount: 12, description: 'Books' }],
  }),
}

function bodyOf(making: Making, operation: Operation): Json | undefined {
  const { chance } = making
  if (!operation.body) return chance.percent(2) ? hostile(chance) : undefined
  const example = EXAMPLES[operation.template]
  const body = likelyBody(making, operation, example)
  if (chance.percent(30)) return spoilt(making, body, chance.integer(1, 3))
  return chance.percent(1) ? undefined : body
}

function likelyBody(making: Making, operation: Operation, example?: (making: Making) => JsonObject): Json {
  const { chance } = making
  const one = () => {
    if (example && chance.percent(75)) return example(making)
    if (operation.example !== undefined && chance.percent(40)) return operation.example
    return valueFor(making, operation.body ?? {})
  }
  if (operation.method !== 'POST' || chance.percent(92)) return one()
  const values = Array.from({ length: chance.integer(0, 4) }, one)
  return {
    object: 'list',
    values: chance.percent(1) ? Array.from({ length: 1_100 }, () => values[0] ?? {}) : values,
  }
}

function idempotencyKeyOf({ chance, known }: Making): string {
  if (chance.percent(5)) return hostileText(chance).replace(/[^\x20-\xff]/g, '?')
  if (chance.percent(50)) return chance.pick(known.keys.slice(-20)) ?? 'first'
  const key = `key-${chance.integer(0, 1_000_000)}`
  known.keys.push(key)
  known.keys.splice(0, Math.max(0, known.keys.length - 20))
  return key
}

function wireOf({ chance }: Making): Wire {
  const at = chance.integer(0, 99)
  if (at < 60) return 'core'
  if (at < 80) return 'json'
  if (at < 92) return 'form'
  return at < 97 ? 'multipart' : 'broken'
}

function whoOf({ chance }: Making): Who {
  const at = chance.integer(0, 99)
  if (at < 70) return 'operator'
  if (at < 80) return 'plain'
  if (at < 95) return 'narrowed'
  return at < 98 ? 'client' : 'nobody'
}
