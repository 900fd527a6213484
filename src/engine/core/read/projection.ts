import type { Row } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import { ApiError } from '../request/api-error.js'
import type { Addresses } from './addresses.js'
import { type CutLists, MAX_NESTED, MAX_NESTED_OF_ONE } from './cut-lists.js'
import {
  columnsToShow,
  type ProjectionPlan,
  projectionPlanOf,
  type RelatedStep,
  relatedStepsOf,
} from './plan.js'
import { listedRows, type Requested, rowsWithIds } from './related-rows.js'
import { asObjects, asValues, marked, type RowForm, type ShownInside } from './row-text.js'
import { statementsOf } from './statements.js'

/** Where a projection reads related rows from. */
export interface ProjectionContext extends ScopeContext {
  readonly tx: Tx
  readonly addresses: Addresses
  /** Notes nested lists that are cut. */
  readonly lists?: CutLists
  /** Where the rows stand in the answer: the relations that lead to them. */
  readonly path?: readonly string[]
  /** Rows that the unit of work has cached, by table and id. */
  readonly cachedRow?: (table: string, id: string) => Row | undefined
}

/** Rows as the interface shows them, as JSON texts: with the selected attributes and related objects. */
export async function projectTexts(
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<string[]> {
  return await showRows(context, resource, { rows, form: asObjects }, selection)
}

/** Rows, and how they are held. */
export interface HeldRows<S> {
  readonly rows: readonly S[]
  readonly form: RowForm<S>
}

/** The same for rows that may be held in another way. */
export async function showRows<S>(
  context: ProjectionContext,
  resource: Resource,
  held: HeldRows<S>,
  selection: Selection,
): Promise<string[]> {
  if (held.rows.length === 0) return []
  const plan = projectionPlanOf(resource, selection)
  const related = await loadRelated({ context, resource, ...held }, plan)
  const at = { related, now: context.now, addresses: context.addresses }
  const write = held.form.writer(plan)
  let length = 0
  return held.rows.map((row) => {
    const text = write(row, at)
    length += text.length
    if (length > LONGEST_ANSWER) throw tooLong()
    return text
  })
}

/**
 * The most characters of an answer: 64 MiB. Lists that lead back to their parent (`items[invoice][items]`) show each of its
 * objects in each of them.
 */
const LONGEST_ANSWER = 64 * 1024 * 1024

function tooLong(): ApiError {
  const hint = 'ask for fewer with limit, or leave lists out of fields'
  return new ApiError('BadRequest', `An answer may have at most ${LONGEST_ANSWER} characters; ${hint}`)
}

/** The text of a row, which says so if its object is deleted. */
export function markedText(resource: Resource, selection: Selection, row: Row, text: string): string {
  return marked(row.deleted_at !== null, projectionPlanOf(resource, selection), text)
}

/** Rows whose related objects are loaded. */
interface Loading<S> extends HeldRows<S> {
  readonly context: ProjectionContext
  readonly resource: Resource
}

async function loadRelated<S>(loading: Loading<S>, plan: ProjectionPlan): Promise<ShownInside> {
  const related = new Map<RelatedStep['field'], ReadonlyMap<string, string>>()
  for (const step of relatedStepsOf(plan))
    if (step.kind === 'many') related.set(step.field, await loadMany(loading, step))
    else {
      const ids = idsIn(loading, step.field.by)
      if (ids.length > 0) related.set(step.field, await loadOne(loading, step, ids))
    }
  return related
}

/** The same context one relation further. */
function beyond(context: ProjectionContext, name: string): ProjectionContext {
  return Object.assign({}, context, { path: [...(context.path ?? []), name] })
}

/** The different ids that rows have in a column. */
function idsIn<S>({ rows, form }: HeldRows<S>, column: string): string[] {
  const idOf = form.column(column)
  return [...new Set(rows.map(idOf).filter((id) => typeof id === 'string'))]
}

async function loadOne<S>(
  { context }: Loading<S>,
  { name, field, selection }: RelatedStep & { kind: 'one' },
  ids: readonly string[],
): Promise<Map<string, string>> {
  const target = context.registry.get(field.to)
  const requested = { selection, showsDeleted: isLasting(field) }
  const { cached, missing } = cachedRows(context, target, ids, requested)
  const inner = beyond(context, name)
  if (context.principal.processingIds || missing.length > MAX_SINGLE_READS) {
    const rows = await rowsWithIds(context, target, missing, requested)
    const form = asValues(columnsToShow(target, selection))
    const read = await shownById(inner, target, { rows, form }, selection)
    if (cached.length === 0) return read
    return new Map([
      ...read,
      ...(await shownById(inner, target, { rows: cached, form: asObjects }, selection)),
    ])
  }
  const rows = [...cached, ...(await rowsById(context, target, missing, requested))]
  return await shownById(inner, target, { rows, form: asObjects }, selection)
}

/** The texts of rows by their ids; of what is deleted each says so. */
async function shownById<S>(
  context: ProjectionContext,
  target: Resource,
  held: HeldRows<S>,
  selection: Selection,
): Promise<Map<string, string>> {
  const { rows, form } = held
  const idOf = form.column('id')
  const deletedAt = form.column('deleted_at')
  const plan = projectionPlanOf(target, selection)
  const texts = await showRows(context, target, held, selection)
  return new Map(
    rows.map((row, index) => [String(idOf(row)), marked(deletedAt(row) !== null, plan, texts[index] ?? '')]),
  )
}

/** Up to so many rows are each read by a compiled statement; more are read by one new statement. */
const MAX_SINGLE_READS = 3

/** What the unit of work has cached of these, as far as its caller may see everything, and the ids of the others. */
function cachedRows(
  { principal, cachedRow }: ProjectionContext,
  target: Resource,
  ids: readonly string[],
  { showsDeleted }: Requested,
): { readonly cached: readonly Row[]; readonly missing: readonly string[] } {
  if (principal.processingIds || !cachedRow) return { cached: [], missing: ids }
  const table = tableNameOf(target)
  const known = (id: string) => {
    const row = cachedRow(table, id)
    return row && (showsDeleted || row.deleted_at === null) ? row : undefined
  }
  const cached = ids.map(known).filter((row) => row !== undefined)
  return { cached, missing: cached.length === 0 ? ids : ids.filter((id) => !known(id)) }
}

async function rowsById(
  { tx }: ProjectionContext,
  target: Resource,
  ids: readonly string[],
  { showsDeleted }: Requested,
): Promise<Row[]> {
  const { byId, byIdEver } = statementsOf(target)
  const found: Row[] = []
  for (const id of ids) found.push(...(await tx.run(showsDeleted ? byIdEver : byId, { id })))
  return found
}

async function loadMany<S>(
  { context, resource, rows: parents, form }: Loading<S>,
  { name, field, selection }: RelatedStep & { kind: 'many' },
): Promise<Map<string, string>> {
  const target = context.registry.get(field.to)
  const inner = beyond(context, name)
  const idOf = form.column('id')
  const ids = parents.map((row) => String(idOf(row)))
  const most = context.lists?.isOne && ids.length === 1 ? MAX_NESTED_OF_ONE : MAX_NESTED
  const { rows, cut } = await listedRows(context, target, field, ids, most)
  const shown = await projectTexts(inner, target, rows, selection)
  const byParent = new Map<string, string[]>()
  const lasts = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const parent = String(row[field.by])
    const siblings = byParent.get(parent) ?? []
    siblings.push(shown[index] ?? '')
    byParent.set(parent, siblings)
    if (cut.has(parent)) lasts.set(parent, String(row.id))
  }
  for (const [id, last] of lasts)
    context.lists?.note(inner.path ?? [], { parent: resource, id, name, field, last, selection })
  return new Map([...byParent].map(([id, siblings]) => [id, siblings.join()]))
}
