import type { Row, RowValues } from '../../../schema/columns.js'
import type { SealedChanges } from '../books/sealed-changes.js'
import type { SealedStatement } from '../books/sealed-statement.js'
import type { InsertBuffer } from './insert-buffer.js'
import { runForChanges, runForRows, runForValues, type SqliteStatement } from './sqlite-statements.js'
import type { TransactionRowCache } from './transaction-row-cache.js'

/** Runs the statements of one connection, and notes what they change in sealed tables. */
export class SealedExecution {
  /** How many statements that can change something were run. */
  writes = 0

  constructor(
    private readonly changes: SealedChanges,
    private readonly known: TransactionRowCache,
    private readonly insertBuffer: InsertBuffer,
  ) {}

  rows<R>(statement: SqliteStatement, parameters: readonly unknown[]): R[] {
    this.count(statement)
    this.expectWritten(statement, parameters)
    if (!statement.sealed) return runForRows<R>(statement.prepared, parameters)
    this.runSealed(statement, statement.sealed, parameters)
    return []
  }

  /** The rows of a query, each as the list of its values. */
  values(statement: SqliteStatement, parameters: readonly unknown[]): RowValues[] {
    this.expectWritten(statement, parameters)
    return runForValues(statement.prepared, parameters)
  }

  /** Answers how many rows were changed. */
  change(statement: SqliteStatement, parameters: readonly unknown[]): number {
    this.count(statement)
    if (this.insertBuffer.take(statement, parameters)) {
      if (statement.sealed) this.changes.add(statement.sealed.changes(parameters, []))
      return parameters.length / (statement.inserts?.width ?? 1)
    }
    this.expectWritten(statement, parameters)
    return statement.sealed
      ? this.runSealed(statement, statement.sealed, parameters)
      : runForChanges(statement.prepared, parameters)
  }

  /** Either of the two, for who does not know which. */
  query<R>(
    statement: SqliteStatement,
    parameters: readonly unknown[],
  ): { rows: R[]; numAffectedRows?: bigint } {
    return statement.prepared.reader && !statement.sealed
      ? { rows: this.rows<R>(statement, parameters) }
      : { rows: [], numAffectedRows: BigInt(this.change(statement, parameters)) }
  }

  /** Has all written that a statement may read. */
  expectWritten(statement: SqliteStatement, parameters: readonly unknown[]): void {
    this.insertBuffer.writeFor(statement, parameters)
  }

  private count({ prepared, changes }: SqliteStatement): void {
    if (prepared.readonly) return
    this.writes++
    this.known.forget(changes)
  }

  private runSealed(
    { prepared }: SqliteStatement,
    sealed: SealedStatement,
    parameters: readonly unknown[],
  ): number {
    const rows = sealed.answers ? runForRows<Row>(prepared, parameters) : []
    const count = sealed.answers ? rows.length : prepared.run(parameters).changes
    this.changes.add(sealed.changes(parameters, rows))
    return count
  }
}
