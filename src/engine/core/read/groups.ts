import { type RawBuilder, sql } from 'kysely'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, Stored } from '../../../schema/columns.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { showValue } from '../../../schema/wire.js'
import type { Tx } from '../../store/database/store.js'
import { type Computed, computedField } from '../query/call.js'
import { anyTest } from '../query/compare.js'
import { type Grouping, type Query, targetsOfGroups } from '../query/query.js'
import { aggregateOf, partOfColumn } from '../query/summary.js'
import type { QueryTarget } from '../query/target.js'
import { type QueryContext, rowValue } from '../query/where.js'
import { invalidAttributes } from '../request/api-error.js'
import { atOnceOrSliced, type GroupSource, type Groups, type RowSource } from './group-slices.js'
import { emptyFirst } from './order.js'
import { type Listed, matching } from './read-page.js'

/**
 * Lists the groups of matching rows. Reading a page throws `InvalidAttributes` if a figure is too large to
 * be exact.
 */
export function groupsOf(
  tx: Tx,
  resource: ResourceModel,
  query: Query,
  grouping: Grouping,
  context: QueryContext,
): Listed {
  const source = rowsOf(tx, resource, query, grouping, context)
  const ask = atOnceOrSliced(tx, resource.table, source, grouping)
  return {
    async page() {
      const rows = await ask(async (source) =>
        ordered(groupsFrom(tx, source, grouping), grouping, (computed) => valueFrom(source, computed))
          .select(grouping.shown.map((shown, index) => valueFrom(source, shown).as(columnOf(index))))
          .limit(query.limit + 1)
          .offset(query.offset)
          .execute(),
      )
      const values = rows.slice(0, query.limit).map((row) => JSON.stringify(showGroup(row, grouping.shown)))
      const isLast = rows.length <= query.limit
      return { values, next: isLast ? undefined : ['offset', String(query.offset + query.limit)] }
    },
    async count() {
      const [row] = await ask(async (source) => {
        const groups = groupsFrom(tx, source, grouping).select(sql<number>`count(*)`.as('count'))
        return tx.any.selectFrom(groups.as('groups')).select(sql<number>`count(*)`.as('count')).execute()
      })
      return row?.count ?? 0
    },
  }
}

/**
 * Rows to be grouped: a subquery with a column for each required value. PostgreSQL would not recognize an
 * expression in the selection as the one in `group by`.
 */
function rowsOf(
  tx: Tx,
  resource: ResourceModel,
  query: Query,
  grouping: Grouping,
  context: QueryContext,
): RowSource {
  const targets = targetsOfGroups(grouping)
  const column = (target: QueryTarget) => sql.ref<Stored>(`rows.${columnOf(targets.indexOf(target))}`)
  const matches = matching(tx.any, resource, query.conditions, context)
    .select(sql<number>`1`.as('row'))
    .select(targets.map((target, index) => rowValue(target, 't', context).as(columnOf(index))))
  const sourceOf = (some: typeof matches): GroupSource => ({
    rows: tx.any.selectFrom(some.as('rows')),
    term: ({ target }) => column(target),
    part: ({ of }, part) => partOfColumn(of && column(of), part),
  })
  return { ...sourceOf(matches), inside: (isInside) => sourceOf(matches.where(isInside)) }
}

function valueFrom(source: GroupSource, computed: Computed): RawBuilder<Stored> {
  if (computed.kind === 'term') return source.term(computed)
  return aggregateOf(computed, (part) => source.part(computed, part))
}

function groupsFrom(tx: Tx, source: GroupSource, grouping: Grouping): Groups {
  const byEach = grouping.by.reduce((groups, term) => groups.groupBy(source.term(term)), source.rows)
  return grouping.having.reduce(
    (some, { aggregate, tests }) => some.having(anyTest(tx.dialect, valueFrom(source, aggregate), tests)),
    byEach,
  )
}

type ValueOfGroup = (computed: Computed) => RawBuilder<Stored>

/** Groups in the requested order; the values that they are grouped by break ties. */
function ordered(groups: Groups, { order, by }: Grouping, value: ValueOfGroup): Groups {
  const sorted = order.reduce((some, o) => some.orderBy(value(o.value), emptyFirst(o.direction)), groups)
  return by.reduce((some, term) => some.orderBy(value(term), emptyFirst('asc')), sorted)
}

/** Short name of a computed column; PostgreSQL would cut long expressions used as names. */
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
