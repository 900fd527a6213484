import { listed } from '../../../model/input/field-input.js'
import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { BatchKind } from '../../../schema/batch-kind.js'
import { isObject, type Json, type JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import { ApiError } from '../request/api-error.js'
import { type BodyItems, parseBodyItems } from '../request/body-items.js'
import type { ApiRequest, QueryPair } from '../request/request.js'
import { parsePath, type Route, resolveRoute } from '../request/route.js'
import type { Effect, MoneyAction, MoneySources, StoredAmount } from './effect.js'
import { verbsByRule } from './money-verbs.js'
import { changed, created, each, hasAmount, itemOf, nestedEffects, unknownEffect } from './object-effects.js'

/** Parts of a request that determine its effects. */
type Changing = Pick<ApiRequest, 'method' | 'path' | 'query' | 'body'>

/** All money actions of a request. */
export async function moneyActionsOf(sources: MoneySources, request: Changing): Promise<MoneyAction[]> {
  return (await effectsOf(sources, request)).flatMap(({ moves }) => moves)
}

/**
 * All effects of a request, derived from the declarations of its target and of the objects nested in its
 * body. An undeclared path or nested object counts as `unknown`.
 */
export async function effectsOf(sources: MoneySources, request: Changing): Promise<Effect[]> {
  if (request.method === 'GET') return []
  const { model } = sources
  const path = parsePath(request.path)
  try {
    const operations = model.operationsAt(path.joined)
    if (operations.length === 0) return await ofRoute(sources, resolveRoute(model, path), request)
    const operation = operations.find(({ method }) => method === request.method)
    return operation ? await ofOperation(sources, operation, request.body) : [unknownEffect(path.joined)]
  } catch (error) {
    // The service itself refuses such a path or body.
    if (error instanceof ApiError) return [unknownEffect(path.joined)]
    throw error
  }
}

async function ofOperation(
  sources: MoneySources,
  { moves, input, path, least }: AdminOperation,
  sent: Json | undefined,
): Promise<Effect[]> {
  const body = isObject(sent) ? sent : {}
  if (moves === 'rows') return [{ of: path, least, moves: [] }, ...(await ofRows(sources, body))]
  const verbs = await verbsByRule(sources, moves, { value: body })
  const stored = Object.entries(input).flatMap(([name, field]) => {
    const target = field.kind === 'ref' ? sources.model.find(field.to) : undefined
    return target && hasAmount(target) && typeof body[name] === 'string' ? [itemOf(target, body[name])] : []
  })
  return [{ of: path, least, moves: verbs.map((verb) => ({ verb, amount: body.amount, stored: stored[0] })) }]
}

/** Effects of a batch's rows, by the kind of the batch. */
async function ofRows(sources: MoneySources, { as, rows }: JsonObject): Promise<Effect[]> {
  const kind = typeof as === 'string' ? sources.batchKinds.get(as) : undefined
  const items = listed(rows)
  if (!kind || !Array.isArray(items)) return [unknownEffect('rows')]
  const bodies = items.flatMap((row) => (isObject(row) && isObject(row.body) ? [row.body] : []))
  return await each(bodies, (body) => ofRow(sources, kind, body))
}

async function ofRow(sources: MoneySources, kind: BatchKind, body: JsonObject): Promise<Effect[]> {
  const { resource, moves, preset, about } = kind
  if (about === 'update') {
    const { id, ...value } = body
    return await changed(sources, resource, { method: 'PUT', value, id })
  }
  const { payment, ...rest } = body
  const value = { ...(about ? rest : body), ...preset }
  const verbs = await verbsByRule(sources, moves, { value })
  const stored = about && typeof payment === 'string' ? storedPayment(resource, payment.trim()) : undefined
  const own = verbs.map((verb) => ({ verb, amount: value.amount, stored }))
  const nested = await nestedEffects(sources, resource, { value, id: about === 'void' ? '' : undefined })
  return [{ of: resource.plural, least: resource.least, moves: own }, ...nested]
}

/** Request that reads a payment. A row of a batch names the payment by its id or its reference number. */
function storedPayment({ plural, prefix, reference = 'id' }: Resource, named: string): StoredAmount {
  const name = named.startsWith(prefix) ? 'id' : reference
  return { path: `/${plural}`, query: [[name, named], ...LARGEST_FIRST] }
}

const LARGEST_FIRST: readonly QueryPair[] = [
  ['fields', 'amount'],
  ['order_by', '-amount'],
  ['limit', '1'],
]

async function ofRoute(sources: MoneySources, route: Route, request: Changing): Promise<Effect[]> {
  const { method, body } = request
  const { resource } = route
  const value = isObject(body) ? body : {}
  switch (route.kind) {
    case 'action': {
      const action = resource.actions?.[route.action]
      if (method !== 'POST' || !action) return [unknownEffect(resource.plural)]
      const { amountIn, least = resource.least } = action
      const isKnown = amountIn !== undefined || hasAmount(resource)
      const stored = isKnown ? { ...itemOf(resource, route.id), amountIn } : undefined
      const verbs = await verbsByRule(sources, action.moves, { value })
      const moves = verbs.map((verb) => ({ verb, amount: value.amount, stored }))
      return [{ of: `${resource.plural}/${route.action}`, least, moves }]
    }
    case 'item':
      if (method === 'POST') return [unknownEffect(resource.plural)]
      return await changed(sources, resource, { method, value, id: route.id })
    case 'nested': {
      const { field, ...owner } = route.parent
      if (method !== 'POST' || field.kind !== 'many') return [unknownEffect(resource.plural)]
      const place = { owner, least: field.least }
      const items = itemsIn(parseBodyItems(body))
      return await each(items, (item) => created(sources, resource, { ...field.preset, ...item }, place))
    }
    case 'collection':
      return await ofCollection(sources, resource, request)
  }
}

/**
 * Effects at a collection's path: on new objects, on listed objects, or on all objects that the query
 * selects.
 */
async function ofCollection(
  sources: MoneySources,
  resource: Resource,
  { method, body, query = [] }: Changing,
): Promise<Effect[]> {
  const items = parseBodyItems(body)
  if (method === 'POST') return await each(itemsIn(items), (value) => created(sources, resource, value))
  if (items.kind === 'list')
    return await each(itemsIn(items), (value) => changed(sources, resource, { method, value, id: value.id }))
  const filters = query.filter(([name]) => !/^(mode|fields?|order_by|limit)\b/.test(name))
  const all = [...filters, ...LARGEST_FIRST]
  const stored: StoredAmount = { path: `/${resource.plural}`, query: all, isAnyNumber: true }
  return await each(itemsIn(items), (value) => changed(sources, resource, { method, value, stored }))
}

function itemsIn(items: BodyItems): readonly JsonObject[] {
  return (items.kind === 'list' ? items.values : [items.value]).filter(isObject)
}
