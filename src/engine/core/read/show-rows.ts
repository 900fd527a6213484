import type { RelationStep, RowContext, RowShape } from '../../../model/resource-model.js'
import type { Row, RowValues } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import { ApiError } from '../request/api-error.js'
import type { Addresses } from './addresses.js'
import { type CutLists, MAX_NESTED, MAX_NESTED_OF_ONE } from './cut-lists.js'
import { listedRows, type RelatedRowsContext, rowsWithIds } from './related-rows.js'

/** Context for showing rows. Related rows are read in batches: one statement for all rows of a relation. */
export interface ShowContext extends RelatedRowsContext {
  readonly addresses: Addresses
  /** Notes nested lists that are cut. */
  readonly lists?: CutLists
  /** Relations that lead from the answer to these rows. */
  readonly path?: readonly string[]
  /** Finds rows that the unit of work has cached, by table and id. */
  readonly cachedRow?: (table: string, id: string) => Row | undefined
}

/** JSON texts of stored rows, with the selected attributes and related objects. */
export async function showStored(
  context: ShowContext,
  shape: RowShape,
  rows: readonly Row[],
): Promise<string[]> {
  return await showRows(context, shape, rows.map(shape.valuesOf))
}

/** JSON texts of rows that are lists of a shape's values; further values in a list are ignored. */
export async function showRows(
  context: ShowContext,
  shape: RowShape,
  rows: readonly RowValues[],
): Promise<string[]> {
  return await writeRows(context, shape, rows, shape.write)
}

/** JSON texts of rows that may be deleted; the text of a deleted row says so. */
export async function showMarked(
  context: ShowContext,
  shape: RowShape,
  rows: readonly RowValues[],
): Promise<string[]> {
  return await writeRows(context, shape, rows, shape.writeMarked)
}

async function writeRows(
  context: ShowContext,
  shape: RowShape,
  rows: readonly RowValues[],
  write: RowShape['write'],
): Promise<string[]> {
  if (rows.length === 0) return []
  const { now, addresses } = context
  const shown: RowContext = { now, addresses, related: await loadRelated(context, shape, rows) }
  let length = 0
  return rows.map((row) => {
    const text = write(row, shown)
    length += text.length
    if (length > LONGEST_ANSWER) throw tooLong()
    return text
  })
}

/**
 * Maximum number of characters in an answer: 64 Mi. Nested lists multiply if they lead back to their parent
 * (`items[invoice][items]`).
 */
const LONGEST_ANSWER = 64 * 1024 * 1024

function tooLong(): ApiError {
  const hint = 'ask for fewer with limit, or leave lists out of fields'
  return new ApiError('BadRequest', `An answer may have at most ${LONGEST_ANSWER} characters; ${hint}`)
}

async function loadRelated(
  context: ShowContext,
  shape: RowShape,
  rows: readonly RowValues[],
): Promise<RowContext['related']> {
  const texts = new Map<RelationStep, ReadonlyMap<string, string>>()
  for (const step of shape.relations) {
    if (step.kind === 'many') texts.set(step, await loadMany(context, step, { shape, rows }))
    else {
      const ids = idsIn(rows, shape.placeOf(step.field.by))
      if (ids.length > 0) texts.set(step, await loadOne(context, step, ids))
    }
  }
  return (step, id) => texts.get(step)?.get(id)
}

/** Context for the rows behind a relation. */
function beyond(context: ShowContext, name: string): ShowContext {
  return Object.assign({}, context, { path: [...(context.path ?? []), name] })
}

/** Distinct ids that rows have at an index. */
function idsIn(rows: readonly RowValues[], place: number): string[] {
  return [...new Set(rows.map((row) => row[place]).filter((id) => typeof id === 'string'))]
}

/** Texts of the objects with these ids, by id. */
async function loadOne(
  context: ShowContext,
  { name, field, shape }: RelationStep & { kind: 'one' },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const showsDeleted = isLasting(field)
  const { cached, missing } = cachedRows(context, shape, ids, showsDeleted)
  const read = await rowsWithIds(context, shape, missing, showsDeleted)
  const rows = [...cached, ...read]
  const texts = await showMarked(beyond(context, name), shape, rows)
  const id = shape.placeOf('id')
  return new Map(rows.map((row, index) => [String(row[id]), texts[index] ?? '']))
}

/**
 * Rows that the unit of work has cached, and the ids of the others. A restricted principal gets no cached
 * rows, because their scope was not checked.
 */
function cachedRows(
  { principal, cachedRow }: ShowContext,
  shape: RowShape,
  ids: readonly string[],
  showsDeleted: boolean,
): { readonly cached: readonly RowValues[]; readonly missing: readonly string[] } {
  if (principal.processingIds || !cachedRow) return { cached: [], missing: ids }
  const cached: RowValues[] = []
  const missing: string[] = []
  for (const id of ids) {
    const row = cachedRow(shape.resource.table, id)
    if (row && (showsDeleted || row.deleted_at === null)) cached.push(shape.valuesOf(row))
    else missing.push(id)
  }
  return { cached, missing }
}

/** Texts of the objects that each row lists, joined by commas, by the row's id. */
async function loadMany(
  context: ShowContext,
  { name, field, shape }: RelationStep & { kind: 'many' },
  parents: { readonly shape: RowShape; readonly rows: readonly RowValues[] },
): Promise<Map<string, string>> {
  const { placeOf, resource: parent } = parents.shape
  const ids = parents.rows.map((row) => String(row[placeOf('id')]))
  const inner = beyond(context, name)
  const most = context.lists?.isOne && ids.length === 1 ? MAX_NESTED_OF_ONE : MAX_NESTED
  const { rows, cut } = await listedRows(context, shape.resource, field, ids, most)
  const shown = await showStored(inner, shape, rows)
  const byParent = new Map<string, string[]>()
  const lasts = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const id = String(row[field.by])
    const siblings = byParent.get(id) ?? []
    siblings.push(shown[index] ?? '')
    byParent.set(id, siblings)
    if (cut.has(id)) lasts.set(id, String(row.id))
  }
  for (const [id, last] of lasts)
    context.lists?.note(inner.path ?? [], { parent, id, name, field, last, shape })
  return new Map([...byParent].map(([id, siblings]) => [id, siblings.join()]))
}
