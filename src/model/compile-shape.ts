import { columnName, type Row, type RowValues, type Stored } from '../schema/columns.js'
import { derive } from '../schema/derive.js'
import type { DerivedField, Field, Fields } from '../schema/field.js'
import type { Json } from '../schema/json.js'
import { shownColumn, showValue } from '../schema/wire.js'
import type {
  RelationStep,
  ResourceModel,
  RowContext,
  RowShape,
  Selection,
  ShapeStep,
} from './resource-model.js'
import { defaultSelectionOf } from './selection.js'

/** Compiles how rows of a resource are shown: with the selected attributes, or with the default ones. */
export function compileShape(resource: ResourceModel, selection?: Selection): RowShape {
  const steps = stepsOf(resource, resource.attributes, selection, [])
  const relations = relationsIn(steps)
  const columns = [...new Set(['id', 'deleted_at', ...steps.flatMap(columnsOfStep)])]
  const placeOf = (column: string) => columns.indexOf(column)
  const deletedAt = placeOf('deleted_at')
  const saysDeleted = steps.some(({ name }) => name === 'object')
  const writer = objectWriter(steps, placeOf)
  const write = (values: RowValues, context: RowContext, offset = 0) => writer(values, offset, context)
  return {
    resource,
    isDefault: selection === undefined,
    steps,
    relations,
    columns,
    showsList: relations.some(({ kind, shape }) => kind === 'many' || shape.showsList),
    placeOf,
    valuesOf: (row) => columns.map((column) => row[column] ?? null),
    write,
    writeMarked(values, context, offset = 0) {
      const text = write(values, context, offset)
      const isDeleted = (values[offset + deletedAt] ?? null) !== null
      return isDeleted && saysDeleted ? `${text.slice(0, -1)},"deleted":true}` : text
    },
  }
}

function stepsOf(
  resource: ResourceModel,
  fields: Fields,
  selection: Selection | undefined,
  above: readonly string[],
): readonly ShapeStep[] {
  return [...(selection ?? defaultSelectionOf(resource.model, fields))].flatMap(([name, inner]) => {
    const field = fields[name]
    if (!field) return []
    const step = stepOf(resource, field, inner, [...above, name])
    return [field.whenSet ? { ...step, whenSet: true } : step]
  })
}

function stepOf(
  resource: ResourceModel,
  field: Field,
  inner: Selection | undefined,
  path: readonly string[],
): ShapeStep {
  const name = path.at(-1) ?? ''
  switch (field.kind) {
    case 'constant':
      return { name, kind: 'constant', value: field.value }
    case 'alias':
      return { name, kind: 'column', field: { kind: 'text' }, column: columnName(field.of) }
    case 'derived':
      return { name, kind: 'derived', field }
    case 'address':
      return { name, kind: 'address', field }
    case 'group':
      return { name, kind: 'group', steps: stepsOf(resource, field.fields, inner, path) }
    case 'one':
      return { name, kind: 'one', field, shape: shapeInside(resource.model.get(field.to), inner) }
    case 'many':
      return { name, kind: 'many', field, shape: shapeInside(resource.model.get(field.to), inner) }
    default:
      return field.transient
        ? { name, kind: 'constant', value: null }
        : { name, kind: 'column', field, column: shownColumn(field, path) }
  }
}

function shapeInside(target: ResourceModel, selection: Selection | undefined): RowShape {
  return selection ? target.shapeOf(selection) : target.defaultShape
}

function relationsIn(steps: readonly ShapeStep[]): readonly RelationStep[] {
  return steps.flatMap((step): readonly RelationStep[] => {
    if (step.kind === 'group') return relationsIn(step.steps)
    return step.kind === 'one' || step.kind === 'many' ? [step] : []
  })
}

function columnsOfStep(step: ShapeStep): readonly string[] {
  switch (step.kind) {
    case 'column':
      return [step.column]
    case 'derived':
      return columnsOfDerived(step.field)
    case 'group':
      return step.steps.flatMap(columnsOfStep)
    case 'one':
      return [step.field.by]
    case 'address':
      return step.field.beside === undefined ? [] : [step.field.beside]
    case 'constant':
    case 'many':
      return []
  }
}

/** The columns that a derived value follows from. */
function columnsOfDerived({ cases }: DerivedField): readonly string[] {
  return cases.flatMap(({ when }) => when.map(({ column }) => column))
}

/** Writes JSON text of a row whose values begin at `offset`. */
type Writer = (values: RowValues, offset: number, context: RowContext) => string
type PlaceOf = (column: string) => number

const NULL = 'null'

/** Writes an object. A group whose attributes are all null is null. */
function objectWriter(steps: readonly ShapeStep[], placeOf: PlaceOf, isGroup = false): Writer {
  if (steps.length === 0) return () => (isGroup ? NULL : '{}')
  const members = steps.map((step) => {
    const start = `,${JSON.stringify(step.name)}:`
    return { start, unset: step.whenSet ? '' : start + NULL, write: stepWriter(step, placeOf) }
  })
  return (values, offset, context) => {
    let isNull = isGroup
    let text = ''
    // Most attributes are null: each of those adds one text instead of two.
    for (const { start, unset, write } of members) {
      const value = write(values, offset, context)
      if (value === NULL) text += unset
      else {
        isNull = false
        text += start + value
      }
    }
    return isNull ? NULL : `{${text.slice(1)}}`
  }
}

function stepWriter(step: ShapeStep, placeOf: PlaceOf): Writer {
  switch (step.kind) {
    case 'constant': {
      const text = textOf(step.value)
      return () => text
    }
    case 'column': {
      const { field } = step
      const stored = storedAt(placeOf(step.column))
      const unset = textOf(showValue(field, null))
      return (values, offset) => {
        const value = stored(values, offset)
        return value === null ? unset : textOf(showValue(field, value))
      }
    }
    case 'derived': {
      const rowOf = rowToDerive(step.field, placeOf)
      return (values, offset, { now }) => textOf(derive(step.field, rowOf(values, offset), now))
    }
    case 'address': {
      const { field } = step
      const id = storedAt(placeOf('id'))
      const beside = field.beside === undefined ? undefined : storedAt(placeOf(field.beside))
      return (values, offset, { addresses, now }) =>
        beside?.(values, offset) === null
          ? NULL
          : textOf(addresses.show(field, String(id(values, offset)), now))
    }
    case 'group':
      return objectWriter(step.steps, placeOf, true)
    case 'one': {
      const id = storedAt(placeOf(step.field.by))
      return (values, offset, { related }) => {
        const named = id(values, offset)
        return named === null ? NULL : (related(step, String(named)) ?? NULL)
      }
    }
    case 'many': {
      const id = storedAt(placeOf('id'))
      return (values, offset, { related }) => `[${related(step, String(id(values, offset))) ?? ''}]`
    }
  }
}

function storedAt(place: number): (values: RowValues, offset: number) => Stored {
  return (values, offset) => values[offset + place] ?? null
}

/** The columns that a derived value follows from, as a row. */
function rowToDerive(field: DerivedField, placeOf: PlaceOf): (values: RowValues, offset: number) => Row {
  const columns = columnsOfDerived(field).map((name) => ({ name, stored: storedAt(placeOf(name)) }))
  return (values, offset) =>
    Object.fromEntries(columns.map(({ name, stored }) => [name, stored(values, offset)]))
}

/** Text as of `JSON.stringify`, which takes longer for simple values. */
function textOf(value: Json): string {
  if (value === null) return NULL
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (typeof value === 'string' && PLAIN.test(value)) return `"${value}"`
  return JSON.stringify(value)
}
/** Text of which nothing is escaped in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/
