import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { InnerRequest } from '../../engine/core/write/rule.js'
import { type BatchKind, batchKinds } from '../../resources/batch-kinds.js'
import type { Json, JsonObject } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'

/** The kind of a batch by its name. Throws `InvalidAttributes` that lists the names there are. */
export function kindNamed(name: string): BatchKind {
  const kind = batchKinds.get(name)
  if (kind) return kind
  throw invalidAttributes({ as: `Must be one of: ${[...batchKinds.keys()].join(', ')}` })
}

/** The request that a row amounts to. Throws `InvalidAttributes` for a row that is no object or names no payment. */
export function rowRequest(kind: BatchKind, body: unknown): InnerRequest {
  if (!isJsonObject(body)) throw invalidAttributes({ row: 'Must be an object' })
  const { resource, preset, about } = kind
  // The one thing that a row needs to know of what it made.
  const query = [['fields', 'id']] as const
  if (!about) return { method: 'POST', path: `/${resource.plural}`, query, body: { ...preset, ...body } }
  const { payment, ...rest } = body
  if (typeof payment !== 'string' || payment === '') throw invalidAttributes({ payment: 'Required' })
  if (about === 'void') {
    const path = `/${resource.plural}/${encodeURIComponent(payment)}`
    return { method: 'PUT', path, query, body: { ...preset, ...rest } }
  }
  const ledger = [{ assoc_transaction_id: payment }]
  return { method: 'POST', path: `/${resource.plural}`, query, body: { ...preset, ...rest, ledger } }
}

/** The attribute of a row that a refusal is about, which may stand elsewhere in the request. */
export function rowAttribute({ about }: BatchKind, path: readonly string[]): string {
  const isPayment = about === 'refund' && path[0] === 'ledger'
  return isPayment ? 'payment' : path.join('.')
}

function isJsonObject(value: unknown): value is JsonObject {
  return isTree(value) && Object.values(value).every(isJson)
}

function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== 'function'
}
