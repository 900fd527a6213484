import { purgeNumbersOperation } from '../../../resources/admin/vault-operation.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, type Resource, tableNameOf } from '../../../schema/resource.js'
import { isObject } from '../input/body.js'
import type { ClientRequest } from './client.js'
import { type MoneyAction, moneyActionsOf } from './money-action.js'

/** What a request would do that must not happen by mistake: move money, delete, end what programs use at once, or drop numbers. */
export type Danger =
  | { readonly kind: 'money'; readonly actions: readonly MoneyAction[] }
  | { readonly kind: 'deletion'; readonly resource?: Resource | undefined; readonly id?: string | undefined }
  | { readonly kind: 'ending' }
  | { readonly kind: 'dropping' }

/** Why a request is dangerous; undefined if it is not. In doubt it is. */
export function dangerOf(registry: Registry, request: ClientRequest): Danger | undefined {
  const segments = request.path.split('/').filter((segment) => segment !== '')
  if (request.method === 'DELETE') {
    const resource = registry.byPath(segments.slice(0, -1).join('/').toLowerCase())
    return { kind: 'deletion', resource, id: resource && decodeURIComponent(segments.at(-1) ?? '') }
  }
  if (request.method === 'POST' && segments.join('/').toLowerCase() === purgeNumbersOperation.path)
    return { kind: 'dropping' }
  const actions = moneyActionsOf(request)
  if (actions.length > 0) return { kind: 'money', actions }
  return isEnding(registry, segments, request) ? { kind: 'ending' } : undefined
}

/** Whether what an action replaces is refused from then on. */
function isEnding(registry: Registry, segments: readonly string[], { method, body }: ClientRequest): boolean {
  const action = registry.byPath(segments.slice(0, -2).join('/'))?.actions?.[segments.at(-1) ?? '']
  if (method !== 'POST' || !action?.ends) return false
  const { overlap, expires_at: until }: JsonObject = isObject(body) ? body : {}
  if (!isSet(overlap)) return !isSet(until) && action.ends === 'at_once'
  return Number(overlap) === 0
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The attributes by which transactions name objects of a resource. */
export function namesInTransactions(registry: Registry, resource: Resource): readonly string[] {
  const transaction = registry.byPath('transactions')
  if (!transaction) return []
  const table = tableNameOf(resource)
  return Object.entries(attributesOf(transaction)).flatMap(([name, field]) => {
    const target = field.kind === 'ref' && registry.find(field.to)
    return target && tableNameOf(target) === table ? [name] : []
  })
}
