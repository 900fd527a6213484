import type { Statement } from 'better-sqlite3'
import type { RowValues } from '../../../schema/columns.js'

/** Runs a statement and returns its rows; only the query knows their type. */
export function runForRows<R>(statement: Statement<unknown[]>, parameters: readonly unknown[]): R[]
export function runForRows(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  if (statement.reader) return statement.raw(false).all(parameters)
  statement.run(parameters)
  return []
}

/** Rows of a query, each as the list of its values. */
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): RowValues[]
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  return statement.raw(true).all(parameters)
}

/** Runs a statement and returns the number of changed rows, even if the statement returns rows. */
export function runForChanges(statement: Statement<unknown[]>, parameters: readonly unknown[]): number {
  return statement.reader ? statement.all(parameters).length : statement.run(parameters).changes
}
