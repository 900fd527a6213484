import { LRUCache } from 'lru-cache'
import type { Row } from '../../../schema/columns.js'
import type { SealedChanges } from '../books/sealed-changes.js'
import { type SealedStatement, sealedStatement } from '../books/sealed-statement.js'
import { runForChanges, runForRows, type SqliteStatements } from './statements.js'

/** So many statements are known to change a sealed table, or none. */
const MAX_KNOWN = 1_000

/** Runs the statements of one connection, and notes what they change in sealed tables. */
export class SealedExecution {
  private readonly sealed = new LRUCache<string, { readonly statement: SealedStatement | undefined }>({
    max: MAX_KNOWN,
    memoMethod: (sql) => ({ statement: sealedStatement(sql) }),
  })

  constructor(
    private readonly statements: SqliteStatements,
    private readonly changes: SealedChanges,
  ) {}

  rows<R>(sql: string, parameters: readonly unknown[]): R[] {
    const { statement } = this.sealed.memo(sql)
    if (!statement) return runForRows<R>(this.statements.get(sql), parameters)
    this.runSealed(statement, parameters)
    return []
  }

  /** Answers how many rows were changed. */
  change(sql: string, parameters: readonly unknown[]): number {
    const { statement } = this.sealed.memo(sql)
    return statement
      ? this.runSealed(statement, parameters)
      : runForChanges(this.statements.get(sql), parameters)
  }

  query<R>(sql: string, parameters: readonly unknown[]): { rows: R[]; numAffectedRows?: bigint } {
    const { statement } = this.sealed.memo(sql)
    if (statement) return { rows: [], numAffectedRows: BigInt(this.runSealed(statement, parameters)) }
    const plain = this.statements.get(sql)
    if (plain.reader) return { rows: runForRows<R>(plain, parameters) }
    return { rows: [], numAffectedRows: BigInt(plain.run(parameters).changes) }
  }

  private runSealed(statement: SealedStatement, parameters: readonly unknown[]): number {
    const run = this.statements.get(statement.sql)
    const rows = statement.answers ? runForRows<Row>(run, parameters) : []
    const count = statement.answers ? rows.length : run.run(parameters).changes
    this.changes.add(statement.changes(parameters, rows))
    return count
  }
}
