import { sql } from 'kysely'
import type { ResourceModel, RowShape } from '../../../model/resource-model.js'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { ManyField } from '../../../schema/field.js'
import type { Resource } from '../../../schema/resource.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import { visible } from '../query/where.js'
import { ApiError } from '../request/api-error.js'
import type { Statements } from './statements.js'

/** Maximum number of nested objects of one kind in a whole answer. */
const MAX_NESTED_TOTAL = 50_000
/** Maximum number of ids in one statement, as databases limit the number of values. */
const BATCH_SIZE = 1_000

/** Maximum number of rows that are read one by one, by a compiled statement. */
const MAX_SINGLE_READS = 3

export interface RelatedRowsContext extends ScopeContext {
  readonly tx: Tx
  readonly statements: Statements
}

/** Visible rows with these ids, as the values of a shape. Deleted rows are left out unless `showsDeleted`. */
export async function rowsWithIds(
  reading: RelatedRowsContext,
  shape: RowShape,
  ids: readonly string[],
  showsDeleted: boolean,
): Promise<RowValues[]> {
  const isNarrowed = reading.principal.processingIds !== undefined
  if (!isNarrowed && ids.length <= MAX_SINGLE_READS)
    return await singleRows(reading, shape, ids, showsDeleted)
  const compiled = isNarrowed ? undefined : reading.statements.ofShape(shape)
  const lookup = showsDeleted ? compiled?.byIdsEver : compiled?.byIds
  const named = shape.columns.map((column) => `t.${column}`)
  const found: RowValues[] = []
  for (const batch of batchesOf(ids)) {
    const rows = lookup
      ? reading.tx.run(lookup, { ids: JSON.stringify(batch) })
      : reading.tx.values(
          visibleRows(reading, shape.resource, showsDeleted).select(named).where('t.id', 'in', batch),
        )
    found.push(...(await rows))
  }
  return found
}

async function singleRows(
  { tx, statements }: RelatedRowsContext,
  { resource, valuesOf }: RowShape,
  ids: readonly string[],
  showsDeleted: boolean,
): Promise<RowValues[]> {
  const { byId, byIdEver } = statements.of(resource)
  const found: RowValues[] = []
  for (const id of ids) found.push(...(await tx.run(showsDeleted ? byIdEver : byId, { id })).map(valuesOf))
  return found
}

/** Rows of nested lists, and the ids of parents whose list is longer than shown. */
interface ListedRows {
  readonly rows: readonly Row[]
  readonly cut: ReadonlySet<string>
}

/**
 * First `most` visible rows of each parent, in the relation's order. Throws `BadRequest` if an answer would
 * have too many rows.
 */
export async function listedRows(
  reading: RelatedRowsContext,
  target: ResourceModel,
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

function visibleRows({ tx, ...context }: RelatedRowsContext, target: ResourceModel, showsDeleted = false) {
  return tx.any
    .selectFrom(`${target.table} as t`)
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
