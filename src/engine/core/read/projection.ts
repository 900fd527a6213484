import type { Row } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { showValue } from '../../../schema/wire.js'
import type { Tx } from '../../store/database/store.js'
import type { ScopeContext } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import type { Addresses } from './addresses.js'
import { type ProjectionPlan, type ProjectionStep, projectionPlanOf } from './plan.js'
import { listedRows, rowsWithIds } from './related-rows.js'
import { statementsOf } from './statements.js'

/** Where a projection reads related rows from. */
export interface ProjectionContext extends ScopeContext {
  readonly tx: Tx
  readonly addresses: Addresses
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
  await loadRelated(context, rows, plan, related)
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
  const shown: JsonObject = {}
  for (const step of plan) shown[step.name] = showStep(row, step, context)
  return shown
}

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
  rows: readonly Row[],
  plan: ProjectionPlan,
  related: Related,
): Promise<void> {
  for (const step of plan) {
    if (step.kind === 'group') await loadRelated(context, rows, step.plan, related)
    else if (step.kind === 'one')
      related.set(step.field, await loadOne(context, rows, step.field, step.selection))
    else if (step.kind === 'many')
      related.set(step.field, await loadMany(context, rows, step.field, step.selection))
  }
}

async function loadOne(
  context: ProjectionContext,
  rows: readonly Row[],
  field: OneField,
  selection: Selection,
) {
  const target = context.registry.get(field.to)
  const ids = new Set(rows.map((row) => row[field.by]).filter((id) => typeof id === 'string'))
  const found = await rowsById(context, target, [...ids])
  const shown = await project(context, target, found, selection)
  return new Map(found.map((row, index) => [String(row.id), shown.slice(index, index + 1)]))
}

/** Up to so many rows are each read by a compiled statement; more are read by one new statement. */
const MAX_SINGLE_READS = 3

async function rowsById(
  context: ProjectionContext,
  target: Resource,
  ids: readonly string[],
): Promise<Row[]> {
  const table = tableNameOf(target)
  const open = context.principal.processingIds === undefined
  const cached = open
    ? ids.map((id) => context.cachedRow?.(table, id)).filter((row) => row !== undefined)
    : []
  const missing = open ? ids.filter((id) => !context.cachedRow?.(table, id)) : ids
  if (missing.length === 0) return cached
  if (!open || missing.length > MAX_SINGLE_READS)
    return [...cached, ...(await rowsWithIds(context, target, missing))]
  const { byId } = statementsOf(target)
  const found = [...cached]
  for (const id of missing) found.push(...(await context.tx.run(byId, { id })))
  return found
}

async function loadMany(
  context: ProjectionContext,
  rows: readonly Row[],
  field: ManyField,
  selection: Selection,
) {
  const target = context.registry.get(field.to)
  const parents = rows.map((row) => String(row.id))
  const found = await listedRows(context, target, field.by, parents)
  const shown = await project(context, target, found, selection)
  const byParent = new Map<string, JsonObject[]>()
  for (const [index, row] of found.entries()) {
    const parent = String(row[field.by])
    const siblings = byParent.get(parent) ?? []
    siblings.push(...shown.slice(index, index + 1))
    byParent.set(parent, siblings)
  }
  return byParent
}
