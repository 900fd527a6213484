import { type OrderByItemBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ResourceModel } from '../../../model/resource-model.js'
import { columnName, type RowValues, type Stored } from '../../../schema/columns.js'
import type { AnyTables, Tx } from '../../store/database/store.js'
import type { Order } from '../query/query.js'
import { inScope } from '../query/scope.js'
import type { QueryTarget } from '../query/target.js'
import { type QueryContext, rowOrder } from '../query/where.js'
import { ApiError } from '../request/api-error.js'

/** Key by which rows are ordered. */
export interface SortKey {
  readonly value: RawBuilder<Stored>
  readonly direction: Order['direction']
  /** Whether every row has a value, so that PostgreSQL can use its indexes for the order. */
  readonly isFilled: boolean
}

/** Keys of an order: newest first by default. The id always breaks ties. */
export function sortKeys(order: readonly Order[], context: QueryContext): readonly SortKey[] {
  const requested = order.flatMap(({ value: { target }, direction }) =>
    rowOrder(target, 't', context).map((value) => ({ value, direction, isFilled: isNeverEmpty(target) })),
  )
  const newest: SortKey = { value: sql.ref('t.created_at'), direction: 'desc', isFilled: true }
  const last = order.at(-1)?.direction ?? 'desc'
  const id: SortKey = { value: sql.ref('t.id'), direction: last, isFilled: true }
  return [...(order.length === 0 ? [newest] : requested), id]
}

export function ordered(
  query: SelectQueryBuilder<AnyTables, string, object>,
  keys: readonly SortKey[],
): SelectQueryBuilder<AnyTables, string, object> {
  return keys.reduce(
    (sorted, { value, direction, isFilled }) =>
      isFilled ? sorted.orderBy(value, direction) : sorted.orderBy(value, emptyFirst(direction)),
    query,
  )
}

/** Orders null as SQLite does, so that both databases answer in the same order. */
export function emptyFirst(direction: Order['direction']) {
  return (by: OrderByItemBuilder) => (direction === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast())
}

function isNeverEmpty({ steps, end }: QueryTarget): boolean {
  if (steps.length > 0 || end.kind !== 'value') return false
  const column = columnName(end.path)
  return column === 'id' || column === 'created_at' || column === 'modified_at'
}

/**
 * Conditions for the rows after the end of a page, so that a late page costs no more than the first. `end`
 * has the values of the keys, or only the id of a row, which may have been deleted.
 *
 * There may be two ranges, one after the other, because null is ordered at one end. Throws `BadRequest` if
 * there is no such row.
 */
export async function rangesAfter(
  tx: Tx,
  resource: ResourceModel,
  keys: readonly SortKey[],
  end: RowValues,
  context: QueryContext,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const values = end.length === keys.length ? end : await placeOfRow(tx, resource, keys, end, context)
  const [first, ...rest] = keys.map((key, n) => ({ ...key, stored: values[n] ?? null }))
  return first ? rangesByKey(first, beyondAll(rest)) : []
}

/** Values of the keys for a row in its current state. */
async function placeOfRow(
  tx: Tx,
  resource: ResourceModel,
  keys: readonly SortKey[],
  [id = null]: RowValues,
  context: QueryContext,
): Promise<RowValues> {
  const row = await tx.any
    .selectFrom(`${resource.table} as t`)
    .select(keys.map(({ value }, n) => value.as(keyColumn(n))))
    .where('t.id', '=', id)
    .where((eb) => eb.and(inScope(eb, 't', resource, context)))
    .executeTakeFirst()
  if (!row) throw new ApiError('BadRequest', `after names no ${resource.name}`, { after: 'Not found' })
  return keys.map((_, n) => row[keyColumn(n)] ?? null)
}

/** Name of a sort key's column; no declared column has such a name. */
function keyColumn(index: number): string {
  return `key_${index}`
}

interface KeyOfRow extends SortKey {
  readonly stored: Stored
}

/** Ranges by the first key. Each begins where an index on that key can seek to. */
function rangesByKey(
  { value, direction, isFilled, stored }: KeyOfRow,
  rest: RawBuilder<SqlBool>,
): readonly RawBuilder<SqlBool>[] {
  const empty = sql<SqlBool>`${value} is null`
  if (stored === null) {
    const tied = sql<SqlBool>`${empty} and ${rest}`
    return direction === 'desc' ? [tied] : [tied, sql<SqlBool>`${value} is not null`]
  }
  if (direction === 'asc') return [sql<SqlBool>`${value} >= ${stored} and (${value} > ${stored} or ${rest})`]
  const before = sql<SqlBool>`${value} <= ${stored} and (${value} < ${stored} or ${rest})`
  return isFilled ? [before] : [before, empty]
}

/** Condition for rows that come later by the other keys, among rows with the same first key. */
function beyondAll(keys: readonly KeyOfRow[]): RawBuilder<SqlBool> {
  return keys.reduceRight<RawBuilder<SqlBool>>(
    (rest, key) => sql`(${beyond(key)} or (${same(key)} and ${rest}))`,
    sql`1 = 0`,
  )
}

/** Condition for rows that come later by one key; null comes before every value. */
function beyond({ value, direction, stored }: KeyOfRow): RawBuilder<SqlBool> {
  if (direction === 'asc') return stored === null ? sql`${value} is not null` : sql`${value} > ${stored}`
  return stored === null ? sql`1 = 0` : sql`(${value} < ${stored} or ${value} is null)`
}

function same({ value, stored }: KeyOfRow): RawBuilder<SqlBool> {
  return stored === null ? sql`${value} is null` : sql`${value} = ${stored}`
}
