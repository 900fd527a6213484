import { type OrderByItemBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { columnName, type Stored } from '../../../schema/columns.js'
import { type Resource, tableOf } from '../../../schema/resource.js'
import type { AnyTables, Tx } from '../../store/database/store.js'
import type { Order } from '../query/query.js'
import { inScope } from '../query/scope.js'
import type { QueryTarget } from '../query/target.js'
import { type QueryContext, rowValue } from '../query/where.js'
import { ApiError } from '../request/errors.js'

/** One thing that rows are ordered by. */
export interface SortKey {
  readonly value: RawBuilder<Stored>
  readonly direction: Order['direction']
  /** Every row has it: PostgreSQL can then use its indexes for the order. */
  readonly isFilled: boolean
}

/** Newest first unless asked otherwise; the id always breaks ties. */
export function sortKeys(order: readonly Order[], context: QueryContext): readonly SortKey[] {
  const requested = order.map(({ value: { target }, direction }) => ({
    value: rowValue(target, 't', context),
    direction,
    isFilled: isNeverEmpty(target),
  }))
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

/** SQLite's places for empty values, so that both databases answer in the same order. */
export function emptyFirst(direction: Order['direction']) {
  return (by: OrderByItemBuilder) => (direction === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast())
}

function isNeverEmpty({ steps, end }: QueryTarget): boolean {
  if (steps.length > 0 || end.kind !== 'value') return false
  const column = columnName(end.path)
  return column === 'id' || column === 'created_at' || column === 'modified_at'
}

/**
 * What holds for the rows that come after the one with an id, which a page ended with: a deep page costs what the first
 * one does. They may lie in two stretches, one after the other, as empty values have their place at an end. The row may
 * be deleted meanwhile. Throws `BadRequest` for one that is not there.
 */
export async function stretchesAfter(
  tx: Tx,
  resource: Resource,
  keys: readonly SortKey[],
  id: string,
  context: QueryContext,
): Promise<readonly RawBuilder<SqlBool>[]> {
  const row = await tx.any
    .selectFrom(`${tableOf(resource)} as t`)
    .select(keys.map(({ value }, n) => value.as(`key_${n}`)))
    .where('t.id', '=', id)
    .where((eb) => eb.and(inScope(eb, 't', resource, context)))
    .executeTakeFirst()
  if (!row) throw new ApiError('BadRequest', `after names no ${resource.name}`, { after: 'Not found' })
  const [first, ...rest] = keys.map((key, n) => ({ ...key, stored: row[`key_${n}`] ?? null }))
  return first ? stretchesOf(first, beyondAll(rest)) : []
}

interface KeyOfRow extends SortKey {
  readonly stored: Stored
}

/** Each begins at a place that an index by the first key leads to. */
function stretchesOf(
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

/** What comes after by the keys that follow the first, among rows that are alike in it. */
function beyondAll(keys: readonly KeyOfRow[]): RawBuilder<SqlBool> {
  return keys.reduceRight<RawBuilder<SqlBool>>(
    (rest, key) => sql`(${beyond(key)} or (${same(key)} and ${rest}))`,
    sql`1 = 0`,
  )
}

/** Nothing comes before everything. */
function beyond({ value, direction, stored }: KeyOfRow): RawBuilder<SqlBool> {
  if (direction === 'asc') return stored === null ? sql`${value} is not null` : sql`${value} > ${stored}`
  return stored === null ? sql`1 = 0` : sql`(${value} < ${stored} or ${value} is null)`
}

function same({ value, stored }: KeyOfRow): RawBuilder<SqlBool> {
  return stored === null ? sql`${value} is null` : sql`${value} = ${stored}`
}
