import type { Statement } from 'better-sqlite3'
import type { RowValues } from '../../../schema/columns.js'

/**
 * The rows of a statement; their type is the query's, which only Kysely knows. Values come from the database as lists
 * and are named here: the driver takes longer to make an object of many columns than to read them.
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

/** The rows of a query, each as the list of its values. */
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): RowValues[]
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  return statement.raw(true).all(parameters)
}

interface Shape {
  readonly names: readonly string[]
  /** A row of nothing. Copies of it share its layout in memory, which objects built name by name would not have. */
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

/** How many rows a statement changed, also when it returns them. */
export function runForChanges(statement: Statement<unknown[]>, parameters: readonly unknown[]): number {
  return statement.reader ? statement.all(parameters).length : statement.run(parameters).changes
}
