import type { Row, Stored } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { DerivedField, ManyField, OneField } from '../../../schema/field.js'
import type { Json } from '../../../schema/json.js'
import { showValue } from '../../../schema/wire.js'
import type { Addresses } from './addresses.js'
import { columnsOfDerived, type ProjectionPlan, type ProjectionStep } from './plan.js'

/** When rows are shown, and what makes addresses then. */
export interface Moment {
  readonly now: string
  readonly addresses: Addresses
}

/** What showing a row needs besides the row. */
export interface RowContext extends Moment {
  readonly related: ShownInside
}

/**
 * Related objects of the rows being shown, by relation and by the id that relates them: the text of the one, or of all of
 * a list, with commas between them.
 */
export type ShownInside = ReadonlyMap<OneField | ManyField, ReadonlyMap<string, string>>

/** A row as JSON text, by its plan; the related objects were shown before. */
export function rowText(row: Row, plan: ProjectionPlan, context: RowContext): string {
  const writer = writers.get(plan) ?? planWriter(plan, inRows)
  writers.set(plan, writer)
  return writer(row, context)
}
const writers = new WeakMap<ProjectionPlan, Writer<Row, RowContext>>()

/** What is shown of an object that is deleted says so, unless single attributes of it were requested. */
export function marked(row: Row, plan: ProjectionPlan, text: string): string {
  const isDeleted = (row.deleted_at ?? null) !== null
  return isDeleted && plan.some(({ name }) => name === 'object')
    ? `${text.slice(0, -1)},"deleted":true}`
    : text
}

/** Writes what is stored of an object as JSON text. */
export type Writer<S, C = Moment> = (stored: S, context: C) => string

/** Where the values of an object are in what is stored of it, and what stands where it shows others. */
export interface Layout<S, C> {
  column(name: string): (stored: S) => Stored
  one(step: ProjectionStep & { kind: 'one' }): Writer<S, C>
  many(step: ProjectionStep & { kind: 'many' }): Writer<S, C>
}

const inRows: Layout<Row, RowContext> = {
  column: (name) => (row) => row[name] ?? null,
  one:
    ({ field }) =>
    (row, { related }) =>
      related.get(field)?.get(String(row[field.by])) ?? NOTHING,
  many:
    ({ field }) =>
    (row, { related }) =>
      `[${related.get(field)?.get(String(row.id)) ?? ''}]`,
}

const NOTHING = 'null'

/** What writes objects by a plan, to be made once. A group whose attributes are all nothing is nothing. */
export function planWriter<S, C extends Moment>(
  plan: ProjectionPlan,
  layout: Layout<S, C>,
  isGroup = false,
): Writer<S, C> {
  if (plan.length === 0) return () => (isGroup ? NOTHING : '{}')
  const members = plan.map((step, index) => ({
    start: `${index === 0 ? '{' : ','}${JSON.stringify(step.name)}:`,
    write: stepWriter(step, layout),
  }))
  return (stored, context) => {
    let isNothing = isGroup
    let text = ''
    for (const { start, write } of members) {
      const value = write(stored, context)
      if (value !== NOTHING) isNothing = false
      text += start + value
    }
    return isNothing ? NOTHING : `${text}}`
  }
}

function stepWriter<S, C extends Moment>(step: ProjectionStep, layout: Layout<S, C>): Writer<S, C> {
  switch (step.kind) {
    case 'constant': {
      const text = textOf(step.value)
      return () => text
    }
    case 'column': {
      const { field } = step
      const storedIn = layout.column(step.column)
      const unset = textOf(showValue(field, null))
      return (stored) => {
        const value = storedIn(stored)
        return value === null ? unset : textOf(showValue(field, value))
      }
    }
    case 'derived': {
      const rowOf = rowToDerive(step.field, layout)
      return (stored, { now }) => textOf(derive(step.field, rowOf(stored), now))
    }
    case 'address': {
      const idOf = layout.column('id')
      return (stored, { addresses, now }) => textOf(addresses.show(step.field, String(idOf(stored)), now))
    }
    case 'group':
      return planWriter(step.plan, layout, true)
    case 'one':
      return layout.one(step)
    case 'many':
      return layout.many(step)
  }
}

/** The columns that a derived value follows from. */
function rowToDerive<S, C>(field: DerivedField, layout: Layout<S, C>): (stored: S) => Row {
  const columns = columnsOfDerived(field).map((name) => ({ name, storedIn: layout.column(name) }))
  return (stored) => Object.fromEntries(columns.map(({ name, storedIn }) => [name, storedIn(stored)]))
}

/** As `JSON.stringify`, which takes longer for values that are simple. */
function textOf(value: Json): string {
  if (value === null) return NOTHING
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`
  return JSON.stringify(value)
}
/** Text of which nothing is escaped in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/
