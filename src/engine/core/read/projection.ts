import type { Row } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import { type Resource, tableOf } from '../../../schema/resource.js'
import { showValue } from '../../../schema/wire.js'
import type { Tx } from '../../store/database/store.js'
import type { Seeing } from '../query/scope.js'
import type { Selection } from '../query/selection.js'
import type { Json, JsonObject } from '../request/json.js'
import type { Addresses } from './addresses.js'
import { type Plan, planOf, type Step } from './plan.js'
import { listedRows, rowsWithIds } from './related-rows.js'
import { statementsOf } from './statements.js'

/** Where a projection reads related rows from. */
export interface Showing extends Seeing {
  readonly tx: Tx
  readonly addresses: Addresses
  /** Rows that the unit of work already holds, by table and id. */
  held?(table: string, id: string): Row | undefined
}

/** Related objects of the rows being shown, by relation and by the id they hang on. */
type Related = Map<OneField | ManyField, Map<string, JsonObject[]>>

/** Rows as the interface shows them, with the selected attributes and related objects. */
export async function project(
  showing: Showing,
  resource: Resource,
  rows: readonly Row[],
  selection: Selection,
): Promise<JsonObject[]> {
  if (rows.length === 0) return []
  const plan = planOf(resource, selection)
  const related: Related = new Map()
  await loadRelated(showing, rows, plan, related)
  const at = { now: showing.now, addresses: showing.addresses }
  return rows.map((row) => showPlan(row, plan, { related, ...at }))
}

/** What a row is shown with besides itself. */
interface Around {
  readonly related: Related
  readonly now: string
  readonly addresses: Addresses
}

function showPlan(row: Row, plan: Plan, around: Around): JsonObject {
  const shown: JsonObject = {}
  for (const step of plan) shown[step.name] = showStep(row, step, around)
  return shown
}

function showStep(row: Row, step: Step, around: Around): Json {
  switch (step.kind) {
    case 'constant':
      return step.value
    case 'column':
      return showValue(step.field, row[step.column] ?? null)
    case 'derived':
      return derive(step.field, row, around.now)
    case 'address':
      return around.addresses.show(step.field, String(row.id), around.now)
    case 'group': {
      const group = showPlan(row, step.plan, around)
      return Object.values(group).every((value) => value === null) ? null : group
    }
    case 'one':
      return around.related.get(step.field)?.get(String(row[step.field.by]))?.[0] ?? null
    case 'many':
      return around.related.get(step.field)?.get(String(row.id)) ?? []
  }
}

async function loadRelated(
  showing: Showing,
  rows: readonly Row[],
  plan: Plan,
  related: Related,
): Promise<void> {
  for (const step of plan) {
    if (step.kind === 'group') await loadRelated(showing, rows, step.plan, related)
    else if (step.kind === 'one')
      related.set(step.field, await loadOne(showing, rows, step.field, step.selection))
    else if (step.kind === 'many')
      related.set(step.field, await loadMany(showing, rows, step.field, step.selection))
  }
}

async function loadOne(showing: Showing, rows: readonly Row[], field: OneField, selection: Selection) {
  const target = showing.registry.get(field.to)
  const ids = new Set(rows.map((row) => row[field.by]).filter((id) => typeof id === 'string'))
  const found = await rowsById(showing, target, [...ids])
  const shown = await project(showing, target, found, selection)
  return new Map(found.map((row, index) => [String(row.id), shown.slice(index, index + 1)]))
}

/** So many rows are read by a statement that is compiled already; for more, one statement is made for all. */
const FEW = 3

async function rowsById(showing: Showing, target: Resource, ids: readonly string[]): Promise<Row[]> {
  const table = tableOf(target)
  const open = showing.principal.processingIds === undefined
  const held = open ? ids.map((id) => showing.held?.(table, id)).filter((row) => row !== undefined) : []
  const missing = open ? ids.filter((id) => !showing.held?.(table, id)) : ids
  if (missing.length === 0) return held
  if (!open || missing.length > FEW) return [...held, ...(await rowsWithIds(showing, target, missing))]
  const { byId } = statementsOf(target)
  const found = [...held]
  for (const id of missing) found.push(...(await showing.tx.run(byId, { id })))
  return found
}

async function loadMany(showing: Showing, rows: readonly Row[], field: ManyField, selection: Selection) {
  const target = showing.registry.get(field.to)
  const parents = rows.map((row) => String(row.id))
  const found = await listedRows(showing, target, field.by, parents)
  const shown = await project(showing, target, found, selection)
  const byParent = new Map<string, JsonObject[]>()
  for (const [index, row] of found.entries()) {
    const parent = String(row[field.by])
    const siblings = byParent.get(parent) ?? []
    siblings.push(...shown.slice(index, index + 1))
    byParent.set(parent, siblings)
  }
  return byParent
}
