import { type Expression, expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { columnName, type Row } from '../../schema/columns.js'
import { type Resource, tableOf } from '../../schema/resource.js'
import { shownColumn } from '../../schema/wire.js'
import type { AnyTables, Tx } from '../../store/store.js'
import { ApiError } from '../errors.js'
import { caseOf } from '../query/case.js'
import type { Condition } from '../query/condition.js'
import type { Order, Query } from '../query/query.js'
import type { Target } from '../query/target.js'
import { type Asking, visible, whereOf } from '../query/where.js'

/** The matching rows a query asks for, as a Kysely query that can be ordered, counted or locked. */
export function matching(
  any: Kysely<AnyTables>,
  resource: Resource,
  conditions: readonly Condition[],
  asking: Asking,
): SelectQueryBuilder<AnyTables, string, object> {
  return conditions.reduce(
    (query, condition) => query.where((eb) => whereOf(eb, 't', condition, asking)),
    any.selectFrom(`${tableOf(resource)} as t`).where((eb) => visible(eb, 't', resource, asking)),
  )
}

/** One page of the rows that match, and whether more follow. */
export async function readPage(
  tx: Tx,
  resource: Resource,
  query: Query,
  asking: Asking,
): Promise<{ rows: Row[]; more: boolean }> {
  const found = matching(tx.any, resource, query.conditions, asking)
  const rows = await ordered(found, query.order, asking)
    .selectAll('t')
    .limit(query.limit + 1)
    .offset(query.offset)
    .execute()
  return { rows: rows.slice(0, query.limit), more: rows.length > query.limit }
}

/** How many rows match. */
export async function countRows(tx: Tx, resource: Resource, query: Query, asking: Asking): Promise<number> {
  const found = matching(tx.any, resource, query.conditions, asking)
  const [row] = await found.select(sql<number>`count(*)`.as('count')).execute()
  return row?.count ?? 0
}

/** Newest first unless asked otherwise; the id always breaks ties. */
function ordered(
  query: SelectQueryBuilder<AnyTables, string, object>,
  order: readonly Order[],
  asking: Asking,
): SelectQueryBuilder<AnyTables, string, object> {
  const asked = order.reduce((sorted, { target, direction }) => {
    if (target.end.kind === 'constant' || target.end.kind === 'inside') return sorted
    const expression = orderExpression(target, asking)
    if (isNeverEmpty(target)) return sorted.orderBy(expression, direction)
    // SQLite's places for empty values, so that both databases answer in the same order.
    return sorted.orderBy(expression, (by) =>
      direction === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast(),
    )
  }, query)
  const last = order.at(-1)?.direction ?? 'desc'
  return (order.length === 0 ? asked.orderBy('t.created_at', 'desc') : asked).orderBy('t.id', last)
}

/** Columns that every row fills: PostgreSQL can then use its indexes for the order. */
function isNeverEmpty({ steps, end }: Target): boolean {
  if (steps.length > 0 || end.kind !== 'value') return false
  const column = columnName(end.path)
  return column === 'id' || column === 'created_at' || column === 'modified_at'
}

/** The column itself, or the one of the single related object that it belongs to, if the caller can see that. */
function orderExpression({ steps, end }: Target, asking: Asking) {
  const eb = expressionBuilder<AnyTables, string>()
  return steps.reduceRight(
    (inner, { field, resource }, depth) => {
      const [outer, name] = [depth === 0 ? 't' : `o${depth - 1}`, `o${depth}`]
      const isRelated = sql`${sql.ref(`${name}.id`)} = ${sql.ref(`${outer}.${field.by}`)}`
      return sql`(select ${inner} from ${sql.table(tableOf(resource))} as ${sql.ref(name)} where ${isRelated} and ${visible(eb, name, resource, asking)})`
    },
    sql`${endExpression(end, steps.length === 0 ? 't' : `o${steps.length - 1}`, asking)}`,
  )
}

function endExpression(end: Target['end'], table: string, asking: Asking): Expression<unknown> {
  switch (end.kind) {
    case 'derived':
      return caseOf(end.field, table, asking)
    case 'value':
      return sql.ref(`${table}.${shownColumn(end.field, end.path)}`)
    case 'constant':
    case 'inside':
      return sql.lit(null)
  }
}

export function notFound(resource: Resource, id: string): ApiError {
  return new ApiError('NotFound', `There is no ${resource.name} ${id}`)
}
