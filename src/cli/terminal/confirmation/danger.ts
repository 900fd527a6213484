import type { MoneyAction, MoneySources } from '../../../engine/core/moves/effect.js'
import { moneyActionsOf } from '../../../engine/core/moves/request-effects.js'
import { ApiError } from '../../../engine/core/request/api-error.js'
import { parsePath, type Route, resolveRoute } from '../../../engine/core/request/route.js'
import type { Model } from '../../../model/model.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { attributesOf, type Resource, tableNameOf } from '../../../schema/resource.js'
import type { ClientRequest } from '../client/client.js'
import { isObject } from '../input/body.js'

/**
 * An effect that must not happen by mistake: money moves, objects are deleted, keys end at once, or stored numbers of
 * payment methods are deleted.
 */
export type Danger =
  | { readonly kind: 'money'; readonly actions: readonly MoneyAction[] }
  | { readonly kind: 'deletion'; readonly resource?: Resource | undefined; readonly id?: string | undefined }
  | { readonly kind: 'ending' }
  | { readonly kind: 'dropping' }

/**
 * The danger of a request in the live environment; undefined for a harmless one. An unknown request counts as
 * dangerous.
 */
export async function dangerOf(sources: MoneySources, request: ClientRequest): Promise<Danger | undefined> {
  const { model } = sources
  const route = routeOf(model, request.path)
  if (request.method === 'DELETE') {
    if (route?.kind !== 'item') return { kind: 'deletion' }
    return { kind: 'deletion', resource: route.resource, id: route.id }
  }
  const operation = model
    .operationsAt(parsePath(request.path).joined)
    .find(({ method }) => method === request.method)
  if (operation?.testOnly) return undefined
  if (operation?.drops) return { kind: 'dropping' }
  const actions = await moneyActionsOf(sources, request)
  if (actions.length > 0) return { kind: 'money', actions }
  return isEnding(route, request) ? { kind: 'ending' } : undefined
}

function routeOf(model: Model, path: string): Route | undefined {
  try {
    return resolveRoute(model, parsePath(path))
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Whether an action makes the key or secret that it replaces invalid at once. */
function isEnding(route: Route | undefined, { method, body }: ClientRequest): boolean {
  const action = route?.kind === 'action' ? route.resource.actions?.[route.action] : undefined
  if (method !== 'POST' || !action?.ends) return false
  const { overlap, expires_at: until }: JsonObject = isObject(body) ? body : {}
  if (!isSet(overlap)) return !isSet(until) && action.ends === 'at_once'
  return Number(overlap) === 0
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** The attributes of transactions that contain ids of a resource. */
export function namesInTransactions(model: Model, resource: Resource): readonly string[] {
  const transaction = model.byPath('transactions')
  if (!transaction) return []
  const table = tableNameOf(resource)
  return Object.entries(attributesOf(transaction)).flatMap(([name, field]) => {
    const target = field.kind === 'ref' && model.find(field.to)
    return target && tableNameOf(target) === table ? [name] : []
  })
}
