import { expressionBuilder, sql } from 'kysely'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { ManyField } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { isAmong } from '../../store/database/differences.js'
import { type Prepared, preparedValues } from '../../store/database/prepared.js'
import { using } from '../../store/database/raw-use.js'
import type { AnyTables, SqlDialect, Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import { isDefaultSelection, type Selection } from '../query/selection.js'
import { visible } from '../query/where.js'
import { ApiError } from '../request/api-error.js'
import { operator } from '../request/principal.js'
import { columnsToShow } from './plan.js'

/** The most objects of one kind that are shown nested in all objects of an answer. */
const MAX_NESTED_TOTAL = 50_000
/** Ids in one statement; a database takes only so many values at once. */
const BATCH_SIZE = 1_000

interface RelatedRowsContext extends ScopeContext {
  readonly tx: Tx
}

/** What is read of related rows. */
export interface Requested {
  readonly selection: Selection
  /** Also those that are deleted, as the relation is a lasting one. */
  readonly showsDeleted: boolean
}

/** The visible rows with these ids, as the values of the columns that a selection shows. */
export async function rowsWithIds(
  reading: RelatedRowsContext,
  target: Resource,
  ids: readonly string[],
  requested: Requested,
): Promise<RowValues[]> {
  const found: RowValues[] = []
  const usual = usualLookup(reading, target, requested)
  const named = columnsToShow(target, requested.selection).map((column) => `t.${column}`)
  for (const batch of batchesOf(ids)) {
    const rows = usual
      ? reading.tx.run(usual, { ids: JSON.stringify(batch) })
      : reading.tx.values(
          visibleRows(reading, target, requested.showsDeleted).select(named).where('t.id', 'in', batch),
        )
    found.push(...(await rows))
  }
  return found
}

type Lookup = Prepared<{ ids: string }, RowValues>
type Lookups = WeakMap<Selection, Lookup>

/**
 * What reads the default attributes for who may see everything, made once: PostgreSQL takes as long to understand such a
 * statement as to run it. Clients choose among too many other attributes to keep a statement for each.
 */
function usualLookup(
  { tx, registry, principal }: RelatedRowsContext,
  target: Resource,
  requested: Requested,
): Lookup | undefined {
  if (principal.processingIds || !isDefaultSelection(requested.selection)) return undefined
  const lookups = LOOKUPS[tx.dialect][requested.showsDeleted ? 'ever' : 'alive']
  const lookup = lookups.get(requested.selection) ?? lookupOf(tx.dialect, registry, target, requested)
  lookups.set(requested.selection, lookup)
  return lookup
}
const LOOKUPS: Readonly<Record<SqlDialect, { readonly alive: Lookups; readonly ever: Lookups }>> = {
  sqlite: { alive: new WeakMap(), ever: new WeakMap() },
  postgres: { alive: new WeakMap(), ever: new WeakMap() },
}

function lookupOf(
  dialect: SqlDialect,
  registry: Registry,
  target: Resource,
  { selection, showsDeleted }: Requested,
): Lookup {
  const columns = sql.join(columnsToShow(target, selection).map((column) => sql.ref(`t.${column}`)))
  const eb = expressionBuilder<AnyTables, string>()
  const isVisible = visible(eb, 't', target, { registry, principal: operator }, showsDeleted)
  const from = sql`${sql.table(tableNameOf(target))} as t`
  return preparedValues((db, param) => ({
    compile: () => {
      const isNamed = isAmong(dialect, sql.ref('t.id'), param('ids'))
      const rows = sql`select ${columns} from ${from} where ${isNamed} and ${isVisible}`
      return using({ reads: [tableNameOf(target)] }, rows).compile(db)
    },
  }))
}

/** Rows of nested lists, and the parents whose list has more than is shown. */
interface ListedRows {
  readonly rows: readonly Row[]
  readonly cut: ReadonlySet<string>
}

/**
 * The visible rows that name one of the parents in the relation's column, in its order: of each parent the first `most`.
 * Throws `BadRequest` when all of them are too many for one answer.
 */
export async function listedRows(
  reading: RelatedRowsContext,
  target: Resource,
  { by: column, newestFirst }: ManyField,
  parents: readonly string[],
  most: number,
): Promise<ListedRows> {
  const direction = newestFirst ? 'desc' : 'asc'
  const by = sql.ref<string>(`t.${column}`)
  const order = sql.raw(direction)
  const place = sql<number>`row_number() over (partition by ${by} order by t.created_at ${order}, t.id ${order})`
  const shown: Row[] = []
  const cut = new Set<string>()
  for (const batch of batchesOf(parents)) {
    const placed = visibleRows(reading, target)
      .selectAll()
      .select(place.as('nested_place'))
      .where(by, 'in', batch)
    const rows = reading.tx.any
      .selectFrom(placed.as('placed'))
      .selectAll()
      .where(sql.ref<number>('nested_place'), '<=', most + 1)
      .orderBy(sql.ref('created_at'), direction)
      .orderBy(sql.ref('id'), direction)
      .limit(MAX_NESTED_TOTAL + 1 + batch.length - shown.length)
    for (const row of await rows.execute())
      if (Number(row['nested_place']) > most) cut.add(String(row[column]))
      else shown.push(row)
    if (shown.length > MAX_NESTED_TOTAL) throw tooMany(target)
  }
  return { rows: shown, cut }
}

function visibleRows({ tx, ...context }: RelatedRowsContext, target: Resource, showsDeleted = false) {
  return tx.any
    .selectFrom(`${tableNameOf(target)} as t`)
    .where((eb) => visible(eb, 't', target, context, showsDeleted))
}

function* batchesOf(ids: readonly string[]): Iterable<string[]> {
  for (let start = 0; start < ids.length; start += BATCH_SIZE) yield ids.slice(start, start + BATCH_SIZE)
}

function tooMany({ plural }: Resource): ApiError {
  const hint = 'ask for fewer with limit, or leave them out of fields'
  return new ApiError(
    'BadRequest',
    `An answer may show at most ${MAX_NESTED_TOTAL} nested ${plural}; ${hint}`,
  )
}
