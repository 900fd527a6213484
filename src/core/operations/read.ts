import { expressionBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { columnName, type Row, secretColumns } from '../../schema/columns.js'
import { type Resource, tableOf } from '../../schema/resource.js'
import type { AnyTables, Tx } from '../../store/store.js'
import { ApiError } from '../errors.js'
import type { Condition } from '../query/condition.js'
import type { Order, Query } from '../query/query.js'
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
    if (target.end.kind !== 'value') return sorted
    const { field, path } = target.end
    const column = field.kind === 'secret' ? secretColumns(path).mask : columnName(path)
    const expression = orderExpression(target.steps, column, asking)
    if (target.steps.length === 0 && isNeverEmpty(column)) return sorted.orderBy(expression, direction)
    // SQLite's places for empty values, so that both databases answer in the same order.
    return sorted.orderBy(expression, (by) =>
      direction === 'asc' ? by.asc().nullsFirst() : by.desc().nullsLast(),
    )
  }, query)
  const last = order.at(-1)?.direction ?? 'desc'
  return (order.length === 0 ? asked.orderBy('t.created_at', 'desc') : asked).orderBy('t.id', last)
}

/** Columns that every row fills: PostgreSQL can then use its indexes for the order. */
function isNeverEmpty(column: string): boolean {
  return column === 'id' || column === 'created_at' || column === 'modified_at'
}

/** The column itself, or the one of the single related object that it belongs to, if the caller can see that. */
function orderExpression(steps: Order['target']['steps'], column: string, asking: Asking) {
  const eb = expressionBuilder<AnyTables, string>()
  return steps.reduceRight(
    (inner, { field, resource }, depth) => {
      const [outer, name] = [depth === 0 ? 't' : `o${depth - 1}`, `o${depth}`]
      const isRelated = sql`${sql.ref(`${name}.id`)} = ${sql.ref(`${outer}.${field.by}`)}`
      return sql`(select ${inner} from ${sql.table(tableOf(resource))} as ${sql.ref(name)} where ${isRelated} and ${visible(eb, name, resource, asking)})`
    },
    sql`${sql.ref(`${steps.length === 0 ? 't' : `o${steps.length - 1}`}.${column}`)}`,
  )
}

export function notFound(resource: Resource, id: string): ApiError {
  return new ApiError('NotFound', `There is no ${resource.name} ${id}`)
}
