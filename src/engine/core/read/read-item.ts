import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, RowValues } from '../../../schema/columns.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { isLasting } from '../../../schema/field.js'
import type { ReadOptions, Tx } from '../../store/database/store.js'
import type { Condition } from '../query/condition.js'
import { conditionOn, type Query } from '../query/query.js'
import type { QueryContext } from '../query/where.js'
import { ApiError } from '../request/api-error.js'
import { type ApiRequest, type ApiResponse, type QueryPair, WrittenAnswer } from '../request/request.js'
import { isRelated, type ParentRef, parsePath, type Route } from '../request/route.js'
import { CutLists } from './cut-lists.js'
import { groupsOf } from './groups.js'
import { readsList } from './list-reader.js'
import type { ReadDependencies } from './read-dependencies.js'
import { countRows, type Listed, matching, notFound, readPage, withParts } from './read-page.js'
import { type ShowContext, showMarked, showRows } from './show-rows.js'

/** GET on a collection. */
export async function readList(
  dependencies: ReadDependencies,
  resource: ResourceModel,
  query: Query,
  request: ApiRequest,
): Promise<ApiResponse> {
  refuseMode(query)
  return await dependencies.store.read(async (tx) => {
    const context = await readContext(dependencies, request, tx)
    const lists = new CutLists(false)
    const list = query.grouping
      ? groupsOf(tx, resource, query, query.grouping, context)
      : objectsOf(tx, resource, query, { ...context, lists })
    const { values, next } = await list.page()
    const headers = lists.headers(next && nextPage(request, query, next))
    if (request.count) headers['X-Total-Count'] = String(await list.count())
    return new WrittenAnswer(`{"object":"list","values":[${values.join()}]}`, headers)
  }, longRead(request))
}

/** Options for reading lists, and objects that show lists. */
function longRead({ isAwaited }: ApiRequest): ReadOptions {
  return { list: true, ...(isAwaited && { isAwaited }) }
}

/** Context for finding and showing rows. */
type ReadContext = QueryContext & Pick<ShowContext, 'addresses' | 'lists' | 'statements'>

function objectsOf(tx: Tx, resource: ResourceModel, query: Query, context: ReadContext): Listed {
  return {
    async page() {
      const { parts, shape } = query
      const { rows, next: after } = await readPage(tx, resource, query, context)
      const shown = await showRows({ ...context, tx }, shape, rows)
      const next: QueryPair | undefined = after === undefined ? undefined : ['after', after]
      if (parts.length === 0) return { values: shown, next }
      const { length } = shape.columns
      const partsOf = (row: RowValues = []) => row.slice(length, length + parts.length)
      return { values: shown.map((text, index) => withParts(text, parts, partsOf(rows[index]))), next }
    },
    count: () => countRows(tx, resource, query, context),
  }
}

/**
 * GET on an item, by its own path or below its parent. `missing` makes the error if the item is not found.
 */
export async function readItem(
  dependencies: ReadDependencies,
  route: Route & { kind: 'item' },
  query: Query,
  request: ApiRequest,
  missing: () => ApiError = () => notFound(route.resource, route.id),
): Promise<ApiResponse> {
  refuseMode(query)
  const { resource, id, parent } = route
  const atOnce = await readAtOnce(dependencies, route, query, request)
  if (atOnce) {
    if (atOnce.text === undefined) throw missing()
    return new WrittenAnswer(atOnce.text)
  }
  return await dependencies.store.read(
    async (tx) => {
      const context = await readContext(dependencies, request, tx)
      const parentRow = parent && (await visibleRow(tx, parent.resource, parent.id, context))
      const showsDeleted = parent !== undefined && isLasting(parent.field)
      const row = await visibleRow(tx, resource, id, context, { conditions: query.conditions, showsDeleted })
      if (!row || (parent && !(parentRow && isRelated(parent, parentRow, row)))) throw missing()
      const lists = new CutLists(true)
      const { shape } = query
      const [text = '{}'] = await showMarked({ ...context, tx, lists }, shape, [shape.valuesOf(row)])
      return new WrittenAnswer(text, lists.headers())
    },
    readsList(route, query) ? longRead(request) : {},
  )
}

/**
 * Object as JSON text, if one statement can read the whole object. `text` is undefined if the object does not
 * exist. Undefined if one statement is not enough.
 */
async function readAtOnce(
  { statements, store, businessClock, addresses }: ReadDependencies,
  { id, parent }: Route & { kind: 'item' },
  { conditions, shape }: Query,
  { principal }: ApiRequest,
): Promise<{ readonly text: string | undefined } | undefined> {
  if (parent || conditions.length > 0 || principal.processingIds) return undefined
  const joined = statements.ofShape(shape)?.joined
  if (!joined) return undefined
  const now = datetimeOf(await businessClock.at(store))
  const [row] = await store.run(joined.query, { id })
  if (!row) return { text: undefined }
  const text = joined.text(row, { now, addresses })
  return text === undefined ? undefined : { text }
}

/** GET below an item: its list of related objects, or a single one. */
export async function readNested(
  dependencies: ReadDependencies,
  resource: ResourceModel,
  parent: ParentRef,
  query: Query,
  request: ApiRequest,
): Promise<ApiResponse> {
  const { field, id } = parent
  const owner = await dependencies.store.read(async (tx) => {
    const context = await readContext(dependencies, request, tx)
    const row = await visibleRow(tx, parent.resource, id, context)
    if (!row) throw notFound(parent.resource, id)
    return row
  })
  if (field.kind === 'many') {
    const below = conditionOn(resource, field.by, id)
    return await readList(
      dependencies,
      resource,
      { ...query, conditions: [...query.conditions, below] },
      request,
    )
  }
  const related = owner[field.by]
  // A related object out of scope is treated as missing, so that not even its id is revealed.
  const none = () => new ApiError('NotFound', `The ${parent.resource.name} ${id} has no ${resource.name}`)
  if (typeof related !== 'string') throw none()
  return await readItem(dependencies, { kind: 'item', resource, id: related, parent }, query, request, none)
}

interface RowFilter {
  readonly conditions?: readonly Condition[]
  readonly showsDeleted?: boolean
}

/** Row by id, in scope. The usual case runs a statement compiled once. */
async function visibleRow(
  tx: Tx,
  resource: ResourceModel,
  id: string,
  context: ReadContext,
  { conditions = [], showsDeleted = false }: RowFilter = {},
): Promise<Row | undefined> {
  if (conditions.length === 0 && !context.principal.processingIds) {
    const { byId, byIdEver } = context.statements.of(resource)
    return (await tx.run(showsDeleted ? byIdEver : byId, { id }))[0]
  }
  return await matching(tx.any, resource, conditions, context, showsDeleted)
    .selectAll('t')
    .where('t.id', '=', id)
    .executeTakeFirst()
}

async function readContext(
  dependencies: ReadDependencies,
  request: ApiRequest,
  tx: Tx,
): Promise<ReadContext> {
  const { vault, statements, businessClock, addresses } = dependencies
  const now = datetimeOf(await businessClock.at(tx))
  const { dialect, scan } = tx
  return { principal: request.principal, vault, statements, dialect, scan, now, addresses }
}

function refuseMode(query: Query): void {
  if (query.byQuery) throw new ApiError('BadRequest', 'mode=query belongs to PUT and DELETE')
}

/**
 * Address of the next page of the same request. Two slashes at its beginning would name another host, so
 * the path is normalized.
 */
function nextPage({ path, query = [] }: ApiRequest, { limit }: Query, next: QueryPair): string {
  const kept = query.filter(([name]) => !['limit', 'offset', 'after'].includes(name))
  const pairs: QueryPair[] = [...kept, ['limit', String(limit)], next]
  return `/${parsePath(path).joined}?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))}`
}
