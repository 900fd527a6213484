import { ApiError } from '../../../engine/core/request/api-error.js'
import { type BodyItems, parseBodyItems } from '../../../engine/core/request/body-items.js'
import { parsePath, type Route, resolveRoute } from '../../../engine/core/request/route.js'
import { listed } from '../../../model/input/field-input.js'
import { isBlank } from '../../../model/input/sent-input.js'
import { type BatchKind, batchKinds } from '../../../resources/batch-kinds.js'
import type { AdminOperation } from '../../../schema/admin-operation.js'
import type { Fields, ManyField, OneField } from '../../../schema/field.js'
import type { MoneyVerb, ResourceMoves } from '../../../schema/moves.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import { isObject } from '../input/body.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from './client.js'
import { type MoneySources, type Owner, type StoredAmount, verbsByRule } from './money-verbs.js'

/** A money action of a request. */
export interface MoneyAction {
  /** `unknown`: this version does not know what the request names, so that it may move money. */
  readonly verb: MoneyVerb | 'unknown'
  /** As the request gives it. */
  readonly amount?: Json | undefined
  /** The request that reads the amount of a stored object, or of a list with the largest amount first. */
  readonly stored?: StoredAmount | undefined
}

const UNKNOWN: MoneyAction = { verb: 'unknown' }

/**
 * All money that a request would move, by the declarations of what its path names and of the objects nested in its body.
 * A path or a nested object that is not declared counts as `unknown`.
 */
export async function moneyActionsOf(sources: MoneySources, request: ClientRequest): Promise<MoneyAction[]> {
  if (request.method === 'GET') return []
  const { model } = sources
  const path = parsePath(request.path)
  try {
    const operations = model.operationsAt(path.joined)
    if (operations.length === 0) return await ofRoute(sources, resolveRoute(model, path), request)
    const operation = operations.find(({ method }) => method === request.method)
    return operation ? await ofOperation(sources, operation, request.body) : [UNKNOWN]
  } catch (error) {
    // The service refuses such a path or body in the same way.
    if (error instanceof ApiError) return [UNKNOWN]
    throw error
  }
}

async function ofOperation(
  sources: MoneySources,
  { moves, input }: AdminOperation,
  sent: Json | undefined,
): Promise<MoneyAction[]> {
  const body = isObject(sent) ? sent : {}
  if (moves === 'rows') return await ofRows(sources, body)
  const verbs = await verbsByRule(sources, moves, { value: body })
  const stored = Object.entries(input).flatMap(([name, field]) => {
    const target = field.kind === 'ref' ? sources.model.find(field.to) : undefined
    return target && hasAmount(target) && typeof body[name] === 'string'
      ? [{ path: `/${target.plural}/${encodeURIComponent(body[name])}` }]
      : []
  })
  return verbs.map((verb) => ({ verb, amount: body.amount, stored: stored[0] }))
}

/** The money actions of a batch's rows, by the kind of the batch. */
async function ofRows(sources: MoneySources, { as, rows }: JsonObject): Promise<MoneyAction[]> {
  const kind = typeof as === 'string' ? batchKinds.get(as) : undefined
  const items = listed(rows)
  if (!kind || !Array.isArray(items)) return [UNKNOWN]
  const actions: MoneyAction[] = []
  for (const row of items)
    if (isObject(row) && isObject(row.body)) actions.push(...(await ofRow(sources, kind, row.body)))
  return actions
}

async function ofRow(sources: MoneySources, kind: BatchKind, body: JsonObject): Promise<MoneyAction[]> {
  const { resource, moves, preset, about } = kind
  if (about === 'update') {
    const { id, ...value } = body
    return await changed(sources, resource, { method: 'PUT', value, id })
  }
  const { payment, ...rest } = body
  const value = { ...(about ? rest : body), ...preset }
  const verbs = await verbsByRule(sources, moves, { value })
  const stored = about && typeof payment === 'string' ? storedPayment(resource, payment.trim()) : undefined
  const nested = await nestedActions(sources, resource, { value, id: about === 'void' ? '' : undefined })
  return [...verbs.map((verb) => ({ verb, amount: value.amount, stored })), ...nested]
}

/** The payment that a row names by its id or its reference number. */
function storedPayment({ plural, prefix, reference = 'id' }: Resource, named: string): StoredAmount {
  const name = named.startsWith(prefix) ? 'id' : reference
  return { path: `/${plural}`, query: [[name, named], ...LARGEST_FIRST] }
}

const LARGEST_FIRST: readonly QueryPair[] = [
  ['fields', 'amount'],
  ['order_by', '-amount'],
  ['limit', '1'],
]

async function ofRoute(sources: MoneySources, route: Route, request: ClientRequest): Promise<MoneyAction[]> {
  const { method, body } = request
  const { resource } = route
  const value = isObject(body) ? body : {}
  switch (route.kind) {
    case 'action': {
      const action = resource.actions?.[route.action]
      if (method !== 'POST' || !action) return [UNKNOWN]
      const { amountIn } = action
      const isKnown = amountIn !== undefined || hasAmount(resource)
      const stored = isKnown ? { ...itemOf(resource, route.id), amountIn } : undefined
      return (await verbsByRule(sources, action.moves, { value })).map((verb) => ({
        verb,
        amount: value.amount,
        stored,
      }))
    }
    case 'item':
      if (method === 'POST') return [UNKNOWN]
      return await changed(sources, resource, { method, value, id: route.id })
    case 'nested': {
      const { field, ...owner } = route.parent
      if (method !== 'POST' || field.kind !== 'many') return [UNKNOWN]
      const items = itemsIn(parseBodyItems(body))
      return await each(items, (item) => created(sources, resource, { ...field.preset, ...item }, owner))
    }
    case 'collection':
      return await ofCollection(sources, resource, request)
  }
}

/** The money actions at a collection's path: of new objects, of listed objects, or of all objects that the query finds. */
async function ofCollection(
  sources: MoneySources,
  resource: Resource,
  { method, body, query = [] }: ClientRequest,
): Promise<MoneyAction[]> {
  const items = parseBodyItems(body)
  if (method === 'POST') return await each(itemsIn(items), (value) => created(sources, resource, value))
  if (items.kind === 'list')
    return await each(itemsIn(items), (value) => changed(sources, resource, { method, value, id: value.id }))
  const filters = query.filter(([name]) => !/^(mode|fields?|order_by|limit)\b/.test(name))
  const stored = { path: `/${resource.plural}`, query: [...filters, ...LARGEST_FIRST] }
  return await each(itemsIn(items), (value) => changed(sources, resource, { method, value, stored }))
}

function itemsIn(items: BodyItems): readonly JsonObject[] {
  return (items.kind === 'list' ? items.values : [items.value]).filter(isObject)
}

async function each(
  values: readonly JsonObject[],
  actionsOf: (value: JsonObject) => Promise<MoneyAction[]>,
): Promise<MoneyAction[]> {
  const actions: MoneyAction[] = []
  for (const value of values) actions.push(...(await actionsOf(value)))
  return actions
}

/** The money actions of creating an object with its nested objects. */
async function created(
  sources: MoneySources,
  resource: Resource,
  value: JsonObject,
  owner?: Owner,
): Promise<MoneyAction[]> {
  const verbs = await verbsByRule(sources, movesOf(resource).create, { value, owner })
  const own = verbs.map((verb) => ({ verb, amount: value.amount }))
  return [...own, ...(await nestedActions(sources, resource, { value }))]
}

/** An object that exists and is changed or deleted; `stored` where filters name it instead of an id. */
interface Changed {
  readonly method: ClientRequest['method']
  readonly value: JsonObject
  readonly id?: Json | undefined
  readonly stored?: StoredAmount
}

async function changed(
  sources: MoneySources,
  resource: Resource,
  { method, value, id: given, stored: matches }: Changed,
): Promise<MoneyAction[]> {
  const id = typeof given === 'string' ? given.trim() : ''
  const stored = matches ?? itemOf(resource, id)
  const rule = method === 'DELETE' ? movesOf(resource).delete : movesOf(resource).update
  const verbs = await verbsByRule(sources, rule, { value, stored })
  const own = verbs.map((verb) => ({ verb, stored }))
  if (method === 'DELETE') return own
  return [...own, ...(await nestedActions(sources, resource, { value, id }))]
}

/** The value of an object, and its id if it exists. */
interface Tree {
  readonly value: JsonObject
  readonly id?: string | undefined
}

/** The money actions of nested objects: those without an id are created, the others are changed. */
async function nestedActions(
  sources: MoneySources,
  resource: Resource,
  tree: Tree,
  fields: Fields = attributesOf(resource),
): Promise<MoneyAction[]> {
  const actions: MoneyAction[] = []
  for (const [name, value] of Object.entries(tree.value)) {
    if (typeof value !== 'object' || value === null) continue
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    switch (field?.kind) {
      case undefined:
        if (!isInShorthand(resource, name)) actions.push(UNKNOWN)
        break
      case 'group':
        if (isObject(value))
          actions.push(...(await nestedActions(sources, resource, { ...tree, value }, field.fields)))
        break
      case 'one':
      case 'many':
        actions.push(...(await relatedActions(sources, field, value, { resource, id: tree.id })))
        break
      default:
    }
  }
  return actions
}

/** Whether a name at the top level means an attribute of a group; no such attribute is a related object. */
function isInShorthand({ shorthands = [] }: Resource, name: string): boolean {
  return shorthands.some(({ fields }) => fields.includes(name))
}

async function relatedActions(
  sources: MoneySources,
  field: OneField | ManyField,
  value: Json,
  owner: Owner,
): Promise<MoneyAction[]> {
  const target = sources.model.find(field.to)
  const items: unknown = field.kind === 'many' ? listed(value) : [value]
  if (!target || !Array.isArray(items)) return [UNKNOWN]
  const ownerOf: Owner | undefined = field.kind === 'many' ? owner : undefined
  const preset = field.kind === 'many' ? field.preset : undefined
  const actions = await each(items.filter(isObject), async (item) => {
    const { id, object, ...attributes } = item
    if (isBlank(id)) return await created(sources, target, { ...preset, ...item }, ownerOf)
    if (Object.keys(attributes).length === 0) return []
    return await changed(sources, target, { method: 'PUT', value: item, id })
  })
  if (field.kind === 'one' || owner.id === undefined) return actions
  // What is missing in the list of an object that exists is deleted.
  const removed = await verbsByRule(sources, movesOf(target).delete, { value: {}, owner })
  return [...actions, ...removed.map((verb): MoneyAction => ({ verb }))]
}

function movesOf({ moves }: Resource): ResourceMoves {
  return moves === 'nothing' ? { create: 'nothing', update: 'nothing', delete: 'nothing' } : moves
}

function hasAmount(resource: Resource): boolean {
  return attributesOf(resource).amount?.kind === 'money'
}

function itemOf({ plural }: Resource, id: string): StoredAmount {
  return { path: `/${plural}/${encodeURIComponent(id)}` }
}
