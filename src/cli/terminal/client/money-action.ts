import type { Json, JsonObject } from '../../../schema/json.js'
import { isObject } from '../input/body.js'
import type { ClientRequest } from './client.js'

/** What a request does with money; a profile may allow only some of these. */
export const VERBS = [
  'pay',
  'authorize',
  'capture',
  'void',
  'refund',
  'credit',
  'review',
  'change',
  'billing',
  'funding',
] as const

export type Verb = (typeof VERBS)[number]

/** A movement of money by a request; its amount if the request says it. */
export interface MoneyAction {
  readonly verb: Verb
  readonly amount?: Json | undefined
}

/** How transactions are named in paths and in nested objects. */
const TRANSACTIONS = ['transactions', 'transaction', 'payment']

/** All money that a request would move, through any path or nested object; in doubt, it counts as moving. */
export function moneyActionsOf(request: ClientRequest): readonly MoneyAction[] {
  if (request.method === 'GET') return []
  const segments = request.path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
  const [first, second] = segments
  if (segments.includes('funding')) return [{ verb: 'funding' }]
  if (first === 'admin' && second === 'billing') return [{ verb: 'billing' }]
  if (first === 'admin' && second === 'batches') return ofRows(request.body)
  if (segments.at(-1) === 'pay') return [{ verb: 'pay', amount: amountOf(request.body) }]
  if (segments.at(-1) === 'review') return [{ verb: 'review' }]
  if (first === 'admin' && second === 'exceptions') return ofException(request.body)
  if (segments.some((segment) => TRANSACTIONS.includes(segment)))
    return eachOf(request.body).map((each) => moneyActionOf(request.method, each))
  return nestedActions(request.body)
}

/** What an exception is resolved by: a refund is asked for at the gateway, everything else is bookkeeping. */
function ofException(body: Json | undefined): MoneyAction[] {
  return isObject(body) && body.resolution === 'refund' ? [{ verb: 'refund' }] : []
}

/** The rows of a batch, which has the type of each. */
function ofRows(body: Json | undefined): MoneyAction[] {
  const { as, rows = null } = isObject(body) ? body : {}
  const bodies = (itemsOf(rows) ?? [rows]).filter(isObject).map((row) => row.body)
  if (as === 'void') return bodies.map(() => ({ verb: 'void' }))
  if (as === 'transaction') return bodies.flatMap(eachOf).map((each) => moneyActionOf('POST', each))
  if (as !== 'payment' && as !== 'refund') return nestedActions(bodies.filter((each) => each !== undefined))
  return bodies.flatMap(eachOf).map((each) => moneyActionOf('POST', { ...each, type: as }))
}

/** Transactions that are made inside of another object: `{items: [{payment: {…}}]}`. */
function nestedActions(body: Json | undefined): MoneyAction[] {
  if (Array.isArray(body)) return body.flatMap(nestedActions)
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) =>
    TRANSACTIONS.includes(name) && typeof value === 'object' && value !== null
      ? eachOf(value).map((each) => moneyActionOf('POST', each))
      : nestedActions(value),
  )
}

function moneyActionOf(method: ClientRequest['method'], { type, status, amount }: JsonObject): MoneyAction {
  if (method === 'POST' && type !== undefined) {
    if (type === 'payment') return { verb: status === 'authorized' ? 'authorize' : 'pay', amount }
    return { verb: type === 'refund' || type === 'reversal' ? 'refund' : 'credit', amount }
  }
  if (status === 'processed') return { verb: 'capture', amount }
  if (status === 'voided') return { verb: 'void', amount }
  return { verb: 'change', amount }
}

/** One object, or all objects of a list. */
function eachOf(body: Json | undefined): readonly JsonObject[] {
  const values = isObject(body) && body.values !== undefined ? itemsOf(body.values) : undefined
  const items = values ?? itemsOf(body)
  return items ? items.filter(isObject) : [isObject(body) ? body : {}]
}

/** The items of a list, which may also be written as `{"0": …}`; undefined for what is none. */
function itemsOf(value: Json | undefined): readonly Json[] | undefined {
  if (Array.isArray(value)) return value
  const names = isObject(value) ? Object.keys(value) : []
  return names.length > 0 && names.every((name) => /^\d+$/.test(name))
    ? Object.values(value ?? {})
    : undefined
}

function amountOf(body: Json | undefined): Json | undefined {
  return isObject(body) ? body.amount : undefined
}
