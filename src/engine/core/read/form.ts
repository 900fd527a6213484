import type { Row } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { ManyField, OneField } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { showValue } from '../../../schema/wire.js'
import type { Addresses } from './addresses.js'
import type { ProjectionPlan, ProjectionStep } from './plan.js'

/** In which form rows are shown: as objects for who goes on with them, or as JSON text for who only sends them. */
export interface Form<T> {
  /** A row by its plan; the related objects were shown before. */
  show(row: Row, plan: ProjectionPlan, context: RowContext<T>): T
  /** The same of an object that is deleted, which says so. */
  asDeleted(shown: T): T
}

/** When rows are shown, and what makes addresses then. */
export interface Moment {
  readonly now: string
  readonly addresses: Addresses
}

/** What showing a row needs besides the row. */
export interface RowContext<T> extends Moment {
  readonly related: ShownInside<T>
}

/** Related objects of the rows being shown, by relation and by the id that relates them. */
export type ShownInside<T> = Map<OneField | ManyField, Map<string, T[]>>

/** What is shown of an object that is deleted says so, unless single attributes of it were requested. */
export function marked<T>(form: Form<T>, row: Row, plan: ProjectionPlan, shown: T): T {
  const isDeleted = (row.deleted_at ?? null) !== null
  return isDeleted && plan.some(({ name }) => name === 'object') ? form.asDeleted(shown) : shown
}

export const objects: Form<JsonObject> = {
  show: showPlan,
  asDeleted: (shown) => ({ ...shown, deleted: true }),
}

function showPlan(row: Row, plan: ProjectionPlan, context: RowContext<JsonObject>): JsonObject {
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

function showStep(row: Row, step: ProjectionStep, context: RowContext<JsonObject>): Json {
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
