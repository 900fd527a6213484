import type { Row, RowValues, Stored } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { DerivedField, ManyField, OneField } from '../../../schema/field.js'
import type { Json } from '../../../schema/json.js'
import { showValue } from '../../../schema/wire.js'
import type { Addresses } from './addresses.js'
import { columnsOfDerived, type ProjectionPlan, type ProjectionStep } from './plan.js'

/** When rows are shown, and what makes addresses then. */
export interface RenderContext {
  readonly now: string
  readonly addresses: Addresses
}

/** What showing a row needs besides the row. */
export interface RowContext extends RenderContext {
  readonly related: ShownInside
}

/**
 * Related objects of the rows being shown, by relation and by the id that relates them: the text of the one, or of all of
 * a list, with commas between them.
 */
export type ShownInside = ReadonlyMap<OneField | ManyField, ReadonlyMap<string, string>>

/** How rows are held, and how each is read. */
export interface RowForm<S> {
  column(name: string): (row: S) => Stored
  /** Writes a row as JSON text, by its plan; the related objects were shown before. */
  writer(plan: ProjectionPlan): Writer<S, RowContext>
}

/** Rows are objects, with a value for each column. */
export const asObjects: RowForm<Row> = rowForm((name) => (row) => row[name] ?? null)

/** Rows are lists of values, in the order of these columns. */
export function asValues(columns: readonly string[]): RowForm<RowValues> {
  const known = valueForms.get(columns)
  if (known) return known
  const form = rowForm<RowValues>((name) => {
    const place = columns.indexOf(name)
    return (values) => values[place] ?? null
  })
  valueForms.set(columns, form)
  return form
}
const valueForms = new WeakMap<readonly string[], RowForm<RowValues>>()

function rowForm<S>(column: (name: string) => (row: S) => Stored): RowForm<S> {
  const layout: Layout<S, RowContext> = {
    column,
    one({ field }) {
      const idOf = column(field.by)
      return (row, { related }) => related.get(field)?.get(String(idOf(row))) ?? NOTHING
    },
    many({ field }) {
      const idOf = column('id')
      return (row, { related }) => `[${related.get(field)?.get(String(idOf(row))) ?? ''}]`
    },
  }
  const writers = new WeakMap<ProjectionPlan, Writer<S, RowContext>>()
  return {
    column,
    writer(plan) {
      const writer = writers.get(plan) ?? planWriter(plan, layout)
      writers.set(plan, writer)
      return writer
    },
  }
}

/** What is shown of an object that is deleted says so, unless single attributes of it were requested. */
export function marked(isDeleted: boolean, plan: ProjectionPlan, text: string): string {
  return isDeleted && plan.some(({ name }) => name === 'object')
    ? `${text.slice(0, -1)},"deleted":true}`
    : text
}

/** Writes what is stored of an object as JSON text. */
export type Writer<S, C = RenderContext> = (stored: S, context: C) => string

/** Where the values of an object are in what is stored of it, and what stands where it shows others. */
export interface Layout<S, C> {
  column(name: string): (stored: S) => Stored
  one(step: ProjectionStep & { kind: 'one' }): Writer<S, C>
  many(step: ProjectionStep & { kind: 'many' }): Writer<S, C>
}

const NOTHING = 'null'

/** What writes objects by a plan, to be made once. A group whose attributes are all nothing is nothing. */
export function planWriter<S, C extends RenderContext>(
  plan: ProjectionPlan,
  layout: Layout<S, C>,
  isGroup = false,
): Writer<S, C> {
  if (plan.length === 0) return () => (isGroup ? NOTHING : '{}')
  const members = plan.map((step, index) => {
    const start = `${index === 0 ? '{' : ','}${JSON.stringify(step.name)}:`
    return { start, unset: start + NOTHING, write: stepWriter(step, layout) }
  })
  return (stored, context) => {
    let isNothing = isGroup
    let text = ''
    // Each text that is added is one more to be put together in the end: most attributes are nothing.
    for (const { start, unset, write } of members) {
      const value = write(stored, context)
      if (value === NOTHING) text += unset
      else {
        isNothing = false
        text += start + value
      }
    }
    return isNothing ? NOTHING : `${text}}`
  }
}

function stepWriter<S, C extends RenderContext>(step: ProjectionStep, layout: Layout<S, C>): Writer<S, C> {
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
