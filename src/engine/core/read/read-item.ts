import type { Row, RowValues } from '../../../schema/columns.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { isLasting } from '../../../schema/field.js'
import type { Resource } from '../../../schema/resource.js'
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
import { oneStatementOf } from './one-statement.js'
import { columnsToShow } from './plan.js'
import { markedText, type ProjectionContext, projectTexts, showRows } from './projection.js'
import type { ReadDependencies } from './read-dependencies.js'
import { countRows, type Listed, matching, notFound, readPage, withParts } from './read-page.js'
import { asValues } from './row-text.js'
import { statementsOf } from './statements.js'

/** GET on a collection. */
export async function readList(
  dependencies: ReadDependencies,
  resource: Resource,
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

/** How lists are read, and objects with lists inside. */
function longRead({ isAwaited }: ApiRequest): ReadOptions {
  return { list: true, ...(isAwaited && { isAwaited }) }
}

/** Showing rows needs the addresses too. */
type ReadContext = QueryContext & Pick<ProjectionContext, 'addresses' | 'lists'>

function objectsOf(tx: Tx, resource: Resource, query: Query, context: ReadContext): Listed {
  return {
    async page() {
      const { parts, selection } = query
      const { rows, more } = await readPage(tx, resource, query, context)
      const columns = columnsToShow(resource, selection)
      const form = asValues(columns)
      const shown = await showRows({ ...context, tx }, resource, { rows, form }, selection)
      const last = more ? rows.at(-1) : undefined
      const next: QueryPair | undefined = last && ['after', String(form.column('id')(last))]
      if (parts.length === 0) return { values: shown, next }
      const partsOf = (row: RowValues = []) => row.slice(columns.length)
      return { values: shown.map((text, index) => withParts(text, parts, partsOf(rows[index]))), next }
    },
    count: () => countRows(tx, resource, query, context),
  }
}

/** GET on an item, by its own path or below its parent; `missing` says that it is not there, and is made only then. */
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
      const [text = '{}'] = await projectTexts({ ...context, tx, lists }, resource, [row], query.selection)
      return new WrittenAnswer(markedText(resource, query.selection, row, text), lists.headers())
    },
    readsList(dependencies.registry, route, query) ? longRead(request) : {},
  )
}

/** The object where one statement reads all of it, if it is there; nothing where that takes more. */
async function readAtOnce(
  { registry, store, businessClock, addresses }: ReadDependencies,
  { resource, id, parent }: Route & { kind: 'item' },
  { conditions, selection }: Query,
  { principal }: ApiRequest,
): Promise<{ readonly text: string | undefined } | undefined> {
  if (parent || conditions.length > 0 || principal.processingIds) return undefined
  const statement = oneStatementOf({ registry, dialect: store.dialect }, resource, selection)
  if (!statement) return undefined
  const now = datetimeOf(await businessClock.at(store))
  const [row] = await store.run(statement.query, { id })
  if (!row) return { text: undefined }
  const text = statement.text(row, { now, addresses })
  return text === undefined ? undefined : { text }
}

/** GET below an item: its list of related objects, or the one. */
export async function readNested(
  dependencies: ReadDependencies,
  resource: Resource,
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
    const below = conditionOn(dependencies.registry, resource, field.by, id)
    return await readList(
      dependencies,
      resource,
      { ...query, conditions: [...query.conditions, below] },
      request,
    )
  }
  const related = owner[field.by]
  // One out of scope is treated as none: not even its id is shown.
  const none = () => new ApiError('NotFound', `The ${parent.resource.name} ${id} has no ${resource.name}`)
  if (typeof related !== 'string') throw none()
  return await readItem(dependencies, { kind: 'item', resource, id: related, parent }, query, request, none)
}

interface RowFilter {
  readonly conditions?: readonly Condition[]
  readonly showsDeleted?: boolean
}

/** A row by id, in scope; the common case runs a statement compiled once. */
async function visibleRow(
  tx: Tx,
  resource: Resource,
  id: string,
  context: QueryContext,
  { conditions = [], showsDeleted = false }: RowFilter = {},
): Promise<Row | undefined> {
  if (conditions.length === 0 && !context.principal.processingIds) {
    const { byId, byIdEver } = statementsOf(resource)
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
  const { registry, vault, businessClock, addresses } = dependencies
  const now = datetimeOf(await businessClock.at(tx))
  const { dialect, scan } = tx
  return { registry, principal: request.principal, vault, dialect, scan, now, addresses }
}

function refuseMode(query: Query): void {
  if (query.byQuery) throw new ApiError('BadRequest', 'mode=query belongs to PUT and DELETE')
}

/** The same request, one page further. Two slashes at its beginning would name another host. */
function nextPage({ path, query = [] }: ApiRequest, { limit }: Query, next: QueryPair): string {
  const kept = query.filter(([name]) => !['limit', 'offset', 'after'].includes(name))
  const pairs: QueryPair[] = [...kept, ['limit', String(limit)], next]
  return `/${parsePath(path).joined}?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]))}`
}
