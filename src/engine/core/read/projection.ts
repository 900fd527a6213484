import type { Row } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import { isLasting, type ManyField, type OneField } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { showValue } from '../../../schema/wire.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import type { Addresses } from './addresses.js'
import { type CutLists, MAX_NESTED, MAX_NESTED_OF_ONE } from './cut-lists.js'
import { columnsToShow, type ProjectionPlan, type ProjectionStep, projectionPlanOf } from './plan.js'
import { listedRows, rowsWithIds } from './related-rows.js'
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
  cachedRow?(table: string, id: string): Row | undefined
}

/** Related objects of the rows being shown, by relation and by the id that relates them. */
type Related = Map<OneField | ManyField, Map<string, JsonObject[]>>

/** Rows as the interface shows them, with the selected attributes and related objects. */
export async function project(
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<JsonObject[]> {
  if (rows.length === 0) return []
  const plan = projectionPlanOf(resource, selection)
  const related: Related = new Map()
  await loadRelated(context, resource, rows, plan, related)
  const at = { now: context.now, addresses: context.addresses }
  return rows.map((row) => showPlan(row, plan, { related, ...at }))
}

/** What showing a row needs besides the row. */
interface RowContext {
  readonly related: Related
  readonly now: string
  readonly addresses: Addresses
}

function showPlan(row: Row, plan: ProjectionPlan, context: RowContext): JsonObject {
  const shown = { ...emptyOf(plan) }
  for (const step of plan) shown[step.name] = showStep(row, step, context)
  return shown
}

/** Nothing in every attribute. Copies of it share its layout in memory, which objects built name by name would not have. */
function emptyOf(plan: ProjectionPlan): JsonObject {
  const known = empties.get(plan)
  if (known) return known
  const empty: JsonObject = JSON.parse(
    JSON.stringify(Object.fromEntries(plan.map(({ name }) => [name, null]))),
  )
  empties.set(plan, empty)
  return empty
}
const empties = new WeakMap<ProjectionPlan, JsonObject>()

function showStep(row: Row, step: ProjectionStep, context: RowContext): Json {
  switch (step.kind) {
    case 'constant':
      return step.value
    case 'column':
      return showValue(step.field, row[step.column] ?? null)
    case 'derived':
      return derive(step.field, row, context.now)
    case 'address':
      return context.addresses.show(step.field, String(row.id), context.now)
    case 'group': {
      const group = showPlan(row, step.plan, context)
      return Object.values(group).every((value) => value === null) ? null : group
    }
    case 'one':
      return context.related.get(step.field)?.get(String(row[step.field.by]))?.[0] ?? null
    case 'many':
      return context.related.get(step.field)?.get(String(row.id)) ?? []
  }
}

async function loadRelated(
  context: ProjectionContext,
  resource: Resource,
  rows: readonly Row[],
  plan: ProjectionPlan,
  related: Related,
): Promise<void> {
  for (const step of plan) {
    if (step.kind === 'group') await loadRelated(context, resource, rows, step.plan, related)
    else if (step.kind === 'one') related.set(step.field, await loadOne(context, rows, step))
    else if (step.kind === 'many') related.set(step.field, await loadMany(context, resource, rows, step))
  }
}

/** The same context one relation further. */
function beyond(context: ProjectionContext, name: string): ProjectionContext {
  const { registry, principal, now, scan, tx, addresses, lists, path = [] } = context
  const cachedRow = context.cachedRow?.bind(context)
  return { registry, principal, now, scan, tx, addresses, cachedRow, lists, path: [...path, name] }
}

async function loadOne(
  context: ProjectionContext,
  rows: readonly Row[],
  { name, field, selection }: ProjectionStep & { kind: 'one' },
) {
  const target = context.registry.get(field.to)
  const ids = new Set(rows.map((row) => row[field.by]).filter((id) => typeof id === 'string'))
  const columns = columnsToShow(target, selection)
  const found = await rowsById(context, target, [...ids], { columns, showsDeleted: isLasting(field) })
  const shown = await project(beyond(context, name), target, found, selection)
  return new Map(
    found.map((row, index) => [
      String(row.id),
      shown.slice(index, index + 1).map((object) => marked(row, object)),
    ]),
  )
}

/** What is shown of an object that is deleted says so, unless single attributes of it were requested. */
export function marked(row: Row, shown: JsonObject): JsonObject {
  return (row.deleted_at ?? null) !== null && 'object' in shown ? { ...shown, deleted: true } : shown
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

async function loadMany(
  context: ProjectionContext,
  resource: Resource,
  parents: readonly Row[],
  { name, field, selection }: ProjectionStep & { kind: 'many' },
) {
  const target = context.registry.get(field.to)
  const inner = beyond(context, name)
  const ids = parents.map((row) => String(row.id))
  const most = context.lists?.isOne && ids.length === 1 ? MAX_NESTED_OF_ONE : MAX_NESTED
  const { rows, cut } = await listedRows(context, target, field, ids, most)
  const shown = await project(inner, target, rows, selection)
  const byParent = new Map<string, JsonObject[]>()
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
