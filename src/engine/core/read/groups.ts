import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Row, Stored } from '../../../schema/columns.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import { showValue } from '../../../schema/wire.js'
import type { AnyTables, Tx } from '../../store/database/store.js'
import { type Computed, computedField } from '../query/call.js'
import { anyTest } from '../query/compare.js'
import { type Grouping, type Query, targetsOfGroups } from '../query/query.js'
import { aggregateOf } from '../query/summary.js'
import type { QueryTarget } from '../query/target.js'
import { type QueryContext, rowValue } from '../query/where.js'
import { invalidAttributes } from '../request/errors.js'
import { emptyFirst } from './order.js'
import { type Listed, matching } from './read.js'

/** The groups of the matching rows. Its page is refused when a figure is too large to be exact. */
export function groupsOf(
  tx: Tx,
  resource: Resource,
  query: Query,
  grouping: Grouping,
  context: QueryContext,
): Listed {
  const { groups, value } = grouped(tx, resource, query, grouping, context)
  return {
    async page() {
      const rows = await ordered(groups, grouping, value)
        .select(grouping.shown.map((shown, index) => value(shown).as(columnOf(index))))
        .limit(query.limit + 1)
        .offset(query.offset)
        .execute()
      const values = rows.slice(0, query.limit).map((row) => showGroup(row, grouping.shown))
      const isLast = rows.length <= query.limit
      return { values, next: isLast ? undefined : ['offset', String(query.offset + query.limit)] }
    },
    async count() {
      const counted = groups.select(sql<number>`count(*)`.as('count')).as('groups')
      const [row] = await tx.any.selectFrom(counted).select(sql<number>`count(*)`.as('count')).execute()
      return row?.count ?? 0
    },
  }
}

type Groups = SelectQueryBuilder<AnyTables, string, object>
type ValueOfGroup = (computed: Computed) => RawBuilder<Stored>

/**
 * A subquery has a column for each value that is needed of the rows, and is grouped: PostgreSQL does not recognize that
 * an expression in the selection is one of those in `group by`.
 */
function grouped(
  tx: Tx,
  resource: Resource,
  query: Query,
  grouping: Grouping,
  context: QueryContext,
): { groups: Groups; value: ValueOfGroup } {
  const targets = targetsOfGroups(grouping)
  const column = (target: QueryTarget) => sql.ref<Stored>(`rows.${columnOf(targets.indexOf(target))}`)
  const rows = matching(tx.any, resource, query.conditions, context)
    .select(sql<number>`1`.as('row'))
    .select(targets.map((target, index) => rowValue(target, 't', context).as(columnOf(index))))
    .as('rows')
  const value: ValueOfGroup = (computed) => {
    if (computed.kind === 'term') return column(computed.target)
    return aggregateOf(computed, computed.of ? column(computed.of) : sql.ref('rows.row'))
  }
  const all: Groups = tx.any.selectFrom(rows)
  const byEach = grouping.by.reduce((groups, { target }) => groups.groupBy(column(target)), all)
  const groups = grouping.having.reduce(
    (some, { aggregate, tests }) => some.having(anyTest(tx.dialect, value(aggregate), tests)),
    byEach,
  )
  return { groups, value }
}

/** In the requested order; the values that they are grouped by break ties. */
function ordered(groups: Groups, { order, by }: Grouping, value: ValueOfGroup): Groups {
  const sorted = order.reduce((some, o) => some.orderBy(value(o.value), emptyFirst(o.direction)), groups)
  return by.reduce((some, term) => some.orderBy(value(term), emptyFirst('asc')), sorted)
}

/** PostgreSQL cuts long names off, so that an expression is not the name of its column. */
function columnOf(index: number): string {
  return `value_${index}`
}

function showGroup(row: Row, shown: readonly Computed[]): JsonObject {
  return Object.fromEntries(
    shown.map((computed, index) => [computed.name, showExact(computed, row[columnOf(index)] ?? null)]),
  )
}

function showExact(computed: Computed, stored: Stored): Json {
  if (typeof stored !== 'number' || Number.isSafeInteger(stored))
    return showValue(computedField(computed), stored)
  throw invalidAttributes({ fields: { [computed.name]: 'Is too large to be shown exactly' } })
}
