import type { Row, RowValues } from '../../../schema/columns.js'
import type { SealedChanges } from '../books/sealed-changes.js'
import type { Sealing } from '../books/sealing.js'
import type { InsertBuffer } from './insert-buffer.js'
import { runForChanges, runForRows, runForValues } from './run-statement.js'
import type { SqliteStatement } from './sqlite-statements.js'
import type { TransactionRowCache } from './transaction-row-cache.js'

/** Runs the statements of one connection and notes their changes in sealed tables. */
export class SealedExecution {
  /** Number of executed statements that may have changed data. */
  writes = 0

  constructor(
    private readonly changes: SealedChanges,
    private readonly known: TransactionRowCache,
    private readonly insertBuffer: InsertBuffer,
  ) {}

  rows<R>(statement: SqliteStatement, parameters: readonly unknown[]): R[] {
    this.count(statement)
    this.expectWritten(statement, parameters)
    if (!statement.sealing) return runForRows<R>(statement.prepared, parameters)
    this.runSealed(statement, statement.sealing, parameters)
    return []
  }

  /** Rows of a query, each as the list of its values. Throws if the statement is not read-only. */
  values(statement: SqliteStatement, parameters: readonly unknown[]): RowValues[] {
    if (!statement.prepared.readonly) throw new Error('A query for values changes nothing')
    this.expectWritten(statement, parameters)
    return runForValues(statement.prepared, parameters)
  }

  /** Runs a statement that changes rows. Returns the number of changed rows. */
  change(statement: SqliteStatement, parameters: readonly unknown[]): number {
    this.count(statement)
    if (this.insertBuffer.take(statement, parameters)) {
      if (statement.sealing) this.changes.add(statement.sealing.changes(parameters, []))
      return statement.rows?.count ?? 1
    }
    this.expectWritten(statement, parameters)
    return statement.sealing
      ? this.runSealed(statement, statement.sealing, parameters)
      : runForChanges(statement.prepared, parameters)
  }

  /** Runs a statement of either kind: rows of a read, or the number of rows that it changed. */
  query<R>(
    statement: SqliteStatement,
    parameters: readonly unknown[],
  ): { rows: R[]; numAffectedRows?: bigint } {
    return statement.prepared.reader && !statement.sealing
      ? { rows: this.rows<R>(statement, parameters) }
      : { rows: [], numAffectedRows: BigInt(this.change(statement, parameters)) }
  }

  /** Writes the waiting rows that a statement may read. */
  expectWritten(statement: SqliteStatement, parameters: readonly unknown[]): void {
    this.insertBuffer.writeFor(statement, parameters)
  }

  private count({ prepared, table }: SqliteStatement): void {
    if (prepared.readonly) return
    this.writes++
    this.known.forget(table)
  }

  private runSealed({ prepared }: SqliteStatement, sealing: Sealing, parameters: readonly unknown[]): number {
    const rows = sealing.returning ? runForRows<Row>(prepared, parameters) : []
    const count = sealing.returning ? rows.length : prepared.run(parameters).changes
    this.changes.add(sealing.changes(parameters, rows))
    return count
  }
}
