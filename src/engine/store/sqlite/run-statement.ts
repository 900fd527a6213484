import type { Statement } from 'better-sqlite3'
import type { RowValues } from '../../../schema/columns.js'

/**
 * Runs a statement and returns its rows; only the query knows their type. Values come from the driver as
 * lists and are named here, because the driver takes longer to make an object of many columns.
 */
export function runForRows<R>(statement: Statement<unknown[]>, parameters: readonly unknown[]): R[]
export function runForRows(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  if (!statement.reader) {
    statement.run(parameters)
    return []
  }
  const shape = shapeOf(statement)
  return statement.all(parameters).map((values) => (Array.isArray(values) ? named(shape, values) : values))
}

/** Rows of a query, each as the list of its values. */
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): RowValues[]
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  return statement.raw(true).all(parameters)
}

interface Shape {
  readonly names: readonly string[]
  /** Row of nulls. Its copies share one layout in memory, unlike objects that are built name by name. */
  readonly empty: Record<string, unknown>
}

function named({ names, empty }: Shape, values: readonly unknown[]): Record<string, unknown> {
  const row = { ...empty }
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
  return row
}

function shapeOf(statement: Statement<unknown[]>): Shape {
  const known = shapes.get(statement)
  if (known) return known
  const names = statement
    .raw(true)
    .columns()
    .map(({ name }) => name)
  const shape = {
    names,
    empty: JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))),
  }
  shapes.set(statement, shape)
  return shape
}
const shapes = new WeakMap<Statement<unknown[]>, Shape>()

/** Runs a statement and returns the number of changed rows, even if the statement returns rows. */
export function runForChanges(statement: Statement<unknown[]>, parameters: readonly unknown[]): number {
  return statement.reader ? statement.all(parameters).length : statement.run(parameters).changes
}
