import type { Row, Stored } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { DerivedField } from '../../../schema/field.js'
import type { Json } from '../../../schema/json.js'
import { showValue } from '../../../schema/wire.js'
import type { Form, Moment, RowContext } from './form.js'
import { columnsOfDerived, type ProjectionPlan, type ProjectionStep } from './plan.js'

/** Writes what is stored of an object as JSON text. */
export type Writer<S, C = Moment> = (stored: S, context: C) => string

/** Where the values of an object are in what is stored of it, and what stands where it shows others. */
export interface Layout<S, C> {
  column(name: string): (stored: S) => Stored
  one(step: ProjectionStep & { kind: 'one' }): Writer<S, C>
  many(step: ProjectionStep & { kind: 'many' }): Writer<S, C>
}

/** Rows as JSON text: the same to the byte as `JSON.stringify` of them as objects, which need not be made. */
export const texts: Form<string> = {
  show(row, plan, context) {
    const writer = writers.get(plan) ?? planWriter(plan, inRows)
    writers.set(plan, writer)
    return writer(row, context)
  },
  asDeleted: (text) => `${text.slice(0, -1)},"deleted":true}`,
}
const writers = new WeakMap<ProjectionPlan, Writer<Row, RowContext<string>>>()

const inRows: Layout<Row, RowContext<string>> = {
  column: (name) => (row) => row[name] ?? null,
  one:
    ({ field }) =>
    (row, { related }) =>
      related.get(field)?.get(String(row[field.by]))?.[0] ?? NOTHING,
  many:
    ({ field }) =>
    (row, { related }) =>
      `[${related.get(field)?.get(String(row.id))?.join() ?? ''}]`,
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
