import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import { parseBodyItems } from '../../engine/core/request/body-items.js'
import type { InnerRequest, Steps } from '../../engine/core/write/rule.js'
import { batchKinds } from '../../resources/batch-kinds.js'
import { resources } from '../../resources/resource-table.js'
import type { BatchKind } from '../../schema/batch-kind.js'
import type { Json, JsonObject } from '../../schema/json.js'
import { showMoney } from '../../schema/money.js'
import { isTree } from '../../schema/types.js'
import { maskDigits } from '../../schema/wire.js'

/** The kind of a batch by its name. Throws `InvalidAttributes` that lists the known names. */
export function kindNamed(name: string): BatchKind {
  const kind = batchKinds.get(name)
  if (kind) return kind
  throw invalidAttributes({ as: `Must be one of: ${[...batchKinds.keys()].join(', ')}` })
}

/** Query of each request: the answer needs only the id, as no other attribute is recorded. */
const ONLY_ID = [['fields', 'id']] as const

/**
 * The request for a row. Throws `InvalidAttributes` for a row that is not one object, contradicts the kind of its batch,
 * or names no payment or no object to change.
 */
export function rowRequest(kind: BatchKind, body: Json): InnerRequest {
  if (!isJsonObject(body)) throw invalidAttributes({ row: 'Must be an object' })
  // The service would take a list as several objects, each with a type and an outcome of its own.
  if (parseBodyItems(body).kind === 'list') throw invalidAttributes({ row: 'Must be one object, not a list' })
  const { resource, preset, about } = kind
  for (const [name, value] of Object.entries(preset))
    if (body[name] !== undefined && body[name] !== value)
      throw invalidAttributes({ [name]: `Must be ${value}` })
  const query = ONLY_ID
  if (!about) return { method: 'POST', path: `/${resource.plural}`, query, body: { ...preset, ...body } }
  if (about === 'update') {
    const { id, ...changes } = body
    if (typeof id !== 'string' || id === '') throw invalidAttributes({ id: 'Required' })
    return { method: 'PUT', path: `/${resource.plural}/${encodeURIComponent(id)}`, query, body: changes }
  }
  const { payment, ...rest } = body
  if (typeof payment !== 'string' || payment === '') throw invalidAttributes({ payment: 'Required' })
  if (about === 'void') {
    const path = `/${resource.plural}/${encodeURIComponent(payment)}`
    return { method: 'PUT', path, query, body: { ...preset, ...rest } }
  }
  const ledger = [{ assoc_transaction_id: payment }]
  return { method: 'POST', path: `/${resource.plural}`, query, body: { ...preset, ...rest, ledger } }
}

/** The attribute of a row that an error is about; it may have another path in the request. */
function rowAttribute({ about }: BatchKind, path: readonly string[]): string {
  const isPayment = about === 'refund' && path[0] === 'ledger'
  return isPayment ? 'payment' : path.join('.')
}

/** JSON that a client sent, as plain data. */
export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : JSON.parse(JSON.stringify(value ?? null))
}

function isJsonObject(value: Json): value is JsonObject {
  return isTree(value)
}

/** Whether a value is plain JSON already, so that no conversion is needed. False for class instances, for example. */
function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  if (Array.isArray(value)) return value.every(isJson)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson)
}

/**
 * A row whose payment is named by its id, although the client may have named it by its reference number. A refund
 * without an amount gets the full one. Throws `InvalidAttributes` for an unknown payment.
 */
export async function withPayment(steps: Steps, { about, resource }: BatchKind, body: Json): Promise<Json> {
  if (!about || about === 'update' || !isTree(body) || typeof body.payment !== 'string') return body
  const { payment: named } = body
  const isId = named.startsWith(resource.prefix)
  if (isId && (about === 'void' || body.amount !== undefined)) return body
  const payment = await steps.read(async (work) =>
    isId
      ? await work.find(resources.transaction, named)
      : (await work.findBy(resources.transaction, 'ref_number', named))[0],
  )
  if (!payment) throw invalidAttributes({ payment: 'Not found' })
  const whole = about === 'refund' && { amount: showMoney(payment.amount ?? 0) }
  return { ...whole, ...body, payment: payment.id }
}

/** The longest reason that is stored, in characters. */
const LONGEST = 1_000

/** Reason of a refused row, in one line: each invalid attribute with its problem. */
export function refusalText(kind: BatchKind, { type, description, details }: ApiError): string {
  if (type === 'NotFound' && kind.about) return `${kind.about === 'update' ? 'id' : 'payment'}: Not found`
  const lines = type === 'InvalidAttributes' ? attributeLines(kind, details, []) : []
  return errorText(lines.length > 0 ? lines.join('; ') : description)
}

/** A reason as it is stored: digits that could be a card or account number are masked. */
export function errorText(text: string): string {
  const masked = text.replace(/\d(?:[ -]?\d){7,}/g, (digits) => maskDigits(digits.replace(/[ -]/g, '')))
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
}

function attributeLines(kind: BatchKind, details: Json, path: readonly string[]): string[] {
  if (details === null || typeof details !== 'object') return [`${rowAttribute(kind, path)}: ${details}`]
  return Object.entries(details).flatMap(([name, inner]) => attributeLines(kind, inner, [...path, name]))
}
