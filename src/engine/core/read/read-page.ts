import { type AliasedExpression, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { RowValues, Stored } from '../../../schema/columns.js'
import type { Resource } from '../../../schema/resource.js'
import type { AnyTables, Tx } from '../../store/database/store.js'
import type { Term } from '../query/call.js'
import type { Condition } from '../query/condition.js'
import { keepsPlaces, type Query } from '../query/query.js'
import { type QueryContext, rowValue, visible, whereOf } from '../query/where.js'
import { ApiError } from '../request/api-error.js'
import type { QueryPair } from '../request/request.js'
import { openedCursor, sealedCursor } from './cursor.js'
import { firstRows, type OrderedRows, total } from './in-slices.js'
import { ordered, rangesAfter, sortKeys } from './order.js'

/** Result of a list: objects or groups as JSON texts. */
export interface Listed {
  /** Values of the page. `next` is the query parameter of the next page; undefined on the last. */
  page(): Promise<{ readonly values: readonly string[]; readonly next: QueryPair | undefined }>
  count(): Promise<number>
}

/** Matching rows, as a Kysely query that can be ordered, counted or locked. */
export function matching(
  any: Kysely<AnyTables>,
  resource: ResourceModel,
  conditions: readonly Condition[],
  context: QueryContext,
  showsDeleted = false,
): SelectQueryBuilder<AnyTables, string, object> {
  return conditions.reduce(
    (query, condition) => query.where((eb) => whereOf(eb, 't', condition, context)),
    any.selectFrom(`${resource.table} as t`).where((eb) => visible(eb, 't', resource, context, showsDeleted)),
  )
}

/**
 * Reads one page of matching rows, each as the values of the shown columns and the requested functions.
 * `next` is the cursor of the next page; undefined on the last.
 */
export async function readPage(
  tx: Tx,
  resource: ResourceModel,
  query: Query,
  context: QueryContext,
): Promise<{ readonly rows: readonly RowValues[]; readonly next: string | undefined }> {
  const needed = query.limit + 1
  const rows: RowValues[] = []
  for (const range of await rangesOf(tx, resource, query, context)) {
    if (rows.length === needed) break
    const page = { limit: needed - rows.length, offset: query.offset }
    rows.push(...(await firstRows(tx, range, page)))
  }
  const shown = rows.slice(0, query.limit)
  const last = rows.length === needed ? shown.at(-1) : undefined
  return { rows: shown, next: last && cursorAt(last, resource, query, context) }
}

/** Cursor for the page after a row. */
function cursorAt(
  last: RowValues,
  resource: ResourceModel,
  { order, shape, parts }: Query,
  { vault }: QueryContext,
): string {
  if (keepsPlaces(order)) return String(last[shape.placeOf('id')])
  return sealedCursor(vault, resource, order, last.slice(shape.columns.length + parts.length))
}

/** Rows of a list in order: all matching rows, or the ranges of those after a cursor. */
export async function rangesOf(
  tx: Tx,
  resource: ResourceModel,
  query: Query,
  context: QueryContext,
): Promise<OrderedRows[]> {
  const table = resource.table
  const keys = sortKeys(query.order, context)
  const { columns } = query.shape
  const places = keepsPlaces(query.order) ? [] : keys
  const found = ordered(matching(tx.any, resource, query.conditions, context), keys)
    .select([selectionOf(columns)])
    .select(query.parts.map(({ target }, index) => rowValue(target, 't', context).as(partColumn(index))))
    .select(places.map(({ value }, index) => value.as(placeColumn(index))))
  const width = columns.length + query.parts.length + places.length
  if (query.after === undefined) return [{ table, rows: found, keys, width }]
  const end = openedCursor(context.vault, resource, query.order, query.after)
  const ranges = await rangesAfter(tx, resource, keys, end, context)
  return ranges.map((range) => ({ table, rows: found.where(range), keys, width }))
}

/** Columns of `t` as one piece of SQL, because Kysely takes longer for each separate column. */
function selectionOf(columns: readonly string[]): AliasedExpression<Stored, string> {
  const refs = columns.map((column) => `"t"."${column}"`)
  // Kysely requires an alias for the selection. The alias repeats the name of the last column.
  return sql.raw<Stored>(refs.join(', ')).as(columns.at(-1) ?? '')
}

/**
 * JSON text of a row, with the values of the requested functions after its attributes. The expression of a
 * function is the name of its value.
 */
export function withParts(text: string, parts: readonly Term[], values: RowValues): string {
  const shown = parts.map(({ name }, index): [string, Stored] => [name, values[index] ?? null])
  const members = JSON.stringify(Object.fromEntries(shown)).slice(1)
  return text === '{}' ? `{${members}` : `${text.slice(0, -1)},${members}`
}

/** Name of a function's column; no declared column has such a name. */
function partColumn(index: number): string {
  return `part_${index}`
}

function placeColumn(index: number): string {
  return `place_${index}`
}

/** Number of matching rows. */
export async function countRows(
  tx: Tx,
  resource: ResourceModel,
  query: Query,
  context: QueryContext,
): Promise<number> {
  const all = matching(tx.any, resource, query.conditions, context).select(sql<number>`count(*)`.as('count'))
  return await total(tx.scan, resource.table, async (isInside) => {
    const [row] = await (isInside ? all.where(isInside) : all).execute()
    return row?.count ?? 0
  })
}

export function notFound(resource: Resource, id: string): ApiError {
  return new ApiError('NotFound', `There is no ${resource.name} ${id}`)
}
