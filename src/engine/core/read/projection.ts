import type { Row } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import type { Addresses } from './addresses.js'
import { type CutLists, MAX_NESTED, MAX_NESTED_OF_ONE } from './cut-lists.js'
import { type Form, marked, objects, type ShownInside } from './form.js'
import { columnsToShow, type ProjectionPlan, type ProjectionStep, projectionPlanOf } from './plan.js'
import { listedRows, rowsWithIds } from './related-rows.js'
import { statementsOf } from './statements.js'
import { texts } from './text-form.js'

/** Where a projection reads related rows from. */
export interface ProjectionContext extends ScopeContext {
  readonly tx: Tx
  readonly addresses: Addresses
  /** Notes nested lists that are cut. */
  readonly lists?: CutLists
  /** Where the rows stand in the answer: the relations that lead to them. */
  readonly path?: readonly string[]
  /** Rows that the unit of work has cached, by table and id. */
  cachedRow?(table: string, id: string): Row | undefined
}

/** Rows as the interface shows them, with the selected attributes and related objects. */
export function project(
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<JsonObject[]> {
  return projectAs(objects, context, resource, rows, selection)
}

/** The same as JSON texts. */
export function projectTexts(
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<string[]> {
  return projectAs(texts, context, resource, rows, selection)
}

/** The text of a row, which says so if its object is deleted. */
export function markedText(resource: Resource, selection: Selection, row: Row, text: string): string {
  return marked(texts, row, projectionPlanOf(resource, selection), text)
}

async function projectAs<T>(
  form: Form<T>,
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<T[]> {
  if (rows.length === 0) return []
  const plan = projectionPlanOf(resource, selection)
  const related: ShownInside<T> = new Map()
  await loadRelated({ form, context, resource, rows, related }, plan)
  const at = { related, now: context.now, addresses: context.addresses }
  return rows.map((row) => form.show(row, plan, at))
}

/** Rows whose related objects are loaded, in the form in which they are shown. */
interface Loading<T> {
  readonly form: Form<T>
  readonly context: ProjectionContext
  readonly resource: Resource
  readonly rows: readonly Row[]
  readonly related: ShownInside<T>
}

async function loadRelated<T>(loading: Loading<T>, plan: ProjectionPlan): Promise<void> {
  const { related } = loading
  for (const step of plan) {
    if (step.kind === 'group') await loadRelated(loading, step.plan)
    else if (step.kind === 'one') related.set(step.field, await loadOne(loading, step))
    else if (step.kind === 'many') related.set(step.field, await loadMany(loading, step))
  }
}

/** The same context one relation further. */
function beyond(context: ProjectionContext, name: string): ProjectionContext {
  const { registry, principal, now, scan, tx, addresses, lists, path = [] } = context
  const cachedRow = context.cachedRow?.bind(context)
  return { registry, principal, now, scan, tx, addresses, cachedRow, lists, path: [...path, name] }
}

async function loadOne<T>(
  { form, context, rows }: Loading<T>,
  { name, field, selection }: ProjectionStep & { kind: 'one' },
): Promise<Map<string, T[]>> {
  const target = context.registry.get(field.to)
  const ids = new Set(rows.map((row) => row[field.by]).filter((id) => typeof id === 'string'))
  const columns = columnsToShow(target, selection)
  const found = await rowsById(context, target, [...ids], { columns, showsDeleted: isLasting(field) })
  const shown = await projectAs(form, beyond(context, name), target, found, selection)
  const plan = projectionPlanOf(target, selection)
  return new Map(
    found.map((row, index) => [
      String(row.id),
      shown.slice(index, index + 1).map((object) => marked(form, row, plan, object)),
    ]),
  )
}

/** Up to so many rows are each read by a compiled statement; more are read by one new statement. */
const MAX_SINGLE_READS = 3

async function rowsById(
  context: ProjectionContext,
  target: Resource,
  ids: readonly string[],
  shown: { readonly columns: readonly string[]; readonly showsDeleted: boolean },
): Promise<Row[]> {
  const { showsDeleted } = shown
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
    return [...cached, ...(await rowsWithIds(context, target, missing, shown))]
  const { byId, byIdEver } = statementsOf(target)
  const found = [...cached]
  for (const id of missing) found.push(...(await context.tx.run(showsDeleted ? byIdEver : byId, { id })))
  return found
}

async function loadMany<T>(
  { form, context, resource, rows: parents }: Loading<T>,
  { name, field, selection }: ProjectionStep & { kind: 'many' },
): Promise<Map<string, T[]>> {
  const target = context.registry.get(field.to)
  const inner = beyond(context, name)
  const ids = parents.map((row) => String(row.id))
  const most = context.lists?.isOne && ids.length === 1 ? MAX_NESTED_OF_ONE : MAX_NESTED
  const { rows, cut } = await listedRows(context, target, field, ids, most)
  const shown = await projectAs(form, inner, target, rows, selection)
  const byParent = new Map<string, T[]>()
  const lasts = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const parent = String(row[field.by])
    const siblings = byParent.get(parent) ?? []
    siblings.push(...shown.slice(index, index + 1))
    byParent.set(parent, siblings)
    if (cut.has(parent)) lasts.set(parent, String(row.id))
  }
  for (const [id, last] of lasts)
    context.lists?.note(inner.path ?? [], { parent: resource, id, name, field, last, selection })
  return byParent
}
