import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import type { AnyTables, Scan, Tx } from '../../store/database/store.js'
import { tooSlow } from '../../store/database/store-error.js'
import type { Aggregate, Term } from '../query/call.js'
import type { Grouping } from '../query/query.js'
import { partOfParts, partsOfAggregate, type SummaryPart } from '../query/summary.js'

export type Groups = SelectQueryBuilder<AnyTables, string, object>

/** Source of groups: the matching rows, or groups of slices of them, which are grouped again. */
export interface GroupSource {
  readonly rows: Groups
  term(term: Term): RawBuilder<Stored>
  part(aggregate: Aggregate, part: SummaryPart): RawBuilder<Stored>
}

/** Source with all matching rows, which can be limited to a slice. */
export interface RowSource extends GroupSource {
  inside(isInside: RawBuilder<SqlBool>): GroupSource
}

/** Runs a query on a source. */
type Ask = <T>(question: (source: GroupSource) => Promise<T>) => Promise<T>

/**
 * Maximum number of groups that slices may collect before the groups are merged. It is also the maximum
 * number of groups after merging.
 */
const MAX_KEPT = 50_000

/**
 * Runs queries on the rows directly. If that takes too long, runs them on the groups of their slices, which
 * are made once.
 */
export function atOnceOrSliced(tx: Tx, table: string, source: RowSource, grouping: Grouping): Ask {
  const { scan } = tx
  if (!scan) return (question) => question(source)
  let sliced: Promise<GroupSource> | undefined
  return async (question) => {
    const read = sliced ? undefined : await scan.attempt(() => question(source))
    if (read) return read.answer
    sliced ??= slicedSource({ tx, scan, grouping }, table, source)
    return await question(await sliced)
  }
}

interface Slicing {
  readonly tx: Tx
  readonly scan: Scan
  readonly grouping: Grouping
}

async function slicedSource(slicing: Slicing, table: string, source: RowSource): Promise<GroupSource> {
  const kept: Stored[][] = []
  await slicing.scan.slices(table, async (isInside) => {
    kept.push(...(await groupsOfSlice(slicing, source.inside(isInside))))
    if (kept.length <= MAX_KEPT) return
    kept.push(...(await groupsOfSlice(slicing, keptSource(slicing, kept.splice(0)))))
    if (kept.length > MAX_KEPT) throw tooSlow()
  })
  return keptSource(slicing, kept)
}

/** Groups of a slice, each as a list: the values that it is grouped by, then the parts of its aggregates. */
async function groupsOfSlice({ grouping }: Slicing, source: GroupSource): Promise<Stored[][]> {
  const { by, parts } = columnsOf(grouping)
  const columns = [
    ...by.map((term) => source.term(term)),
    ...parts.map(({ aggregate, part }) => source.part(aggregate, part)),
  ]
  const grouped = by.reduce((groups, term) => groups.groupBy(source.term(term)), source.rows)
  const found = await grouped
    .select(sql<number>`count(*)`.as('count'))
    .select(columns.map((column, n) => column.as(`value_${n}`)))
    .execute()
  return found.map((row) => {
    const values = new Map(Object.entries<Stored>(row))
    return columns.map((_, n) => values.get(`value_${n}`) ?? null)
  })
}

function keptSource({ tx, grouping }: Slicing, kept: readonly Stored[][]): GroupSource {
  const { by, parts } = columnsOf(grouping)
  const value = (n: number) => sql<Stored>`${sql.ref('rows.value')} ->> ${sql.lit(n)}`
  return {
    rows: tx.any.selectFrom(sql<{ value: string }>`json_each(${JSON.stringify(kept)})`.as('rows')),
    term: ({ target }) => value(by.findIndex((term) => term.target === target)),
    part: (aggregate, part) => {
      const n = parts.findIndex((one) => one.aggregate === aggregate && one.part === part)
      return partOfParts(value(by.length + n), part)
    },
  }
}

/** Columns in the groups of slices. */
function columnsOf({ by, shown, having, order }: Grouping) {
  const values = [...shown, ...having.map(({ aggregate }) => aggregate), ...order.map((one) => one.value)]
  const aggregates = new Set(values.filter((value) => value.kind === 'aggregate'))
  const parts = [...aggregates].flatMap((aggregate) =>
    partsOfAggregate(aggregate).map((part) => ({ aggregate, part })),
  )
  return { by, parts }
}
