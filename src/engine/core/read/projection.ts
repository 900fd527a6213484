import type { Row } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import { ApiError } from '../request/errors.js'
import type { Addresses } from './addresses.js'
import { type CutLists, MAX_NESTED, MAX_NESTED_OF_ONE } from './cut-lists.js'
import { type ProjectionPlan, projectionPlanOf, type RelatedStep, relatedStepsOf } from './plan.js'
import { listedRows, type Requested, rowsWithIds } from './related-rows.js'
import { marked, rowText, type ShownInside } from './row-text.js'
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
  if (rows.length === 0) return []
  const plan = projectionPlanOf(resource, selection)
  const related = await loadRelated({ context, resource, rows }, plan)
  const at = { related, now: context.now, addresses: context.addresses }
  let length = 0
  return rows.map((row) => {
    const text = rowText(row, plan, at)
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
  return marked(row, projectionPlanOf(resource, selection), text)
}

/** Rows whose related objects are loaded. */
interface Loading {
  readonly context: ProjectionContext
  readonly resource: Resource
  readonly rows: readonly Row[]
}

async function loadRelated(loading: Loading, plan: ProjectionPlan): Promise<ShownInside> {
  const related = new Map<RelatedStep['field'], ReadonlyMap<string, string>>()
  for (const step of relatedStepsOf(plan))
    if (step.kind === 'many') related.set(step.field, await loadMany(loading, step))
    else if (loading.rows.some((row) => typeof row[step.field.by] === 'string'))
      related.set(step.field, await loadOne(loading, step))
  return related
}

/** The same context one relation further. */
function beyond(context: ProjectionContext, name: string): ProjectionContext {
  return { ...context, path: [...(context.path ?? []), name] }
}

async function loadOne(
  { context, rows }: Loading,
  { name, field, selection }: RelatedStep & { kind: 'one' },
): Promise<Map<string, string>> {
  const target = context.registry.get(field.to)
  const ids = new Set(rows.map((row) => row[field.by]).filter((id) => typeof id === 'string'))
  const found = await rowsById(context, target, [...ids], { selection, showsDeleted: isLasting(field) })
  const shown = await projectTexts(beyond(context, name), target, found, selection)
  return new Map(
    found.map((row, index) => [String(row.id), markedText(target, selection, row, shown[index] ?? '')]),
  )
}

/** Up to so many rows are each read by a compiled statement; more are read by one new statement. */
const MAX_SINGLE_READS = 3

async function rowsById(
  context: ProjectionContext,
  target: Resource,
  ids: readonly string[],
  requested: Requested,
): Promise<Row[]> {
  const { showsDeleted } = requested
  const table = tableNameOf(target)
  const open = context.principal.processingIds === undefined
  const known = (id: string) => {
    const row = open ? context.cachedRow?.(table, id) : undefined
    return row && (showsDeleted || row.deleted_at === null) ? row : undefined
  }
  const cached = ids.map(known).filter((row) => row !== undefined)
  const missing = ids.filter((id) => !known(id))
  if (missing.length === 0) return cached
  if (!open || missing.length > MAX_SINGLE_READS)
    return [...cached, ...(await rowsWithIds(context, target, missing, requested))]
  const { byId, byIdEver } = statementsOf(target)
  const found = [...cached]
  for (const id of missing) found.push(...(await context.tx.run(showsDeleted ? byIdEver : byId, { id })))
  return found
}

async function loadMany(
  { context, resource, rows: parents }: Loading,
  { name, field, selection }: RelatedStep & { kind: 'many' },
): Promise<Map<string, string>> {
  const target = context.registry.get(field.to)
  const inner = beyond(context, name)
  const ids = parents.map((row) => String(row.id))
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
