import { sql } from 'kysely'
import type { Row } from '../../../schema/columns.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import { visible } from '../query/where.js'
import { ApiError } from '../request/errors.js'

/** The most objects of a nested list that are shown with their parent; the nested path pages through all. */
export const MAX_NESTED = 1_000
/** The most objects of one kind that are shown nested in all objects of an answer. */
const MAX_NESTED_TOTAL = 50_000
/** Ids in one statement; a database takes only so many values at once. */
const BATCH_SIZE = 1_000

interface RelatedRowsContext extends ScopeContext {
  readonly tx: Tx
}

/** The visible rows with these ids. */
export async function rowsWithIds(
  reading: RelatedRowsContext,
  target: Resource,
  ids: readonly string[],
): Promise<Row[]> {
  const found: Row[] = []
  for (const lot of batchesOf(ids)) {
    const rows = visibleRows(reading, target).selectAll().where('t.id', 'in', lot)
    found.push(...(await rows.execute()))
  }
  return found
}

/**
 * The visible rows that name one of the parents in a column: of each parent the oldest `MAX_NESTED`, oldest first.
 * Throws `BadRequest` when all of them are too many for one answer.
 */
export async function listedRows(
  reading: RelatedRowsContext,
  target: Resource,
  column: string,
  parents: readonly string[],
): Promise<Row[]> {
  const by = sql.ref<string>(`t.${column}`)
  const place = sql<number>`row_number() over (partition by ${by} order by t.created_at, t.id)`
  const found: Row[] = []
  for (const lot of batchesOf(parents)) {
    const placed = visibleRows(reading, target)
      .selectAll()
      .select(place.as('nested_place'))
      .where(by, 'in', lot)
    const rows = reading.tx.any
      .selectFrom(placed.as('placed'))
      .selectAll()
      .where(sql.ref<number>('nested_place'), '<=', MAX_NESTED)
      .orderBy(sql.ref('created_at'))
      .orderBy(sql.ref('id'))
      .limit(MAX_NESTED_TOTAL + 1 - found.length)
    found.push(...(await rows.execute()))
    if (found.length > MAX_NESTED_TOTAL) throw tooMany(target)
  }
  return found
}

function visibleRows({ tx, ...context }: RelatedRowsContext, target: Resource) {
  return tx.any.selectFrom(`${tableNameOf(target)} as t`).where((eb) => visible(eb, 't', target, context))
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
