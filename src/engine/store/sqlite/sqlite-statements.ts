import type { Database, Statement as PreparedStatement } from 'better-sqlite3'
import {
  type CompiledQuery,
  createQueryId,
  type RootOperationNode,
  SqliteQueryCompiler,
  ValuesNode,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Sealing, sealingOf } from '../books/sealing.js'
import { onlyReads, type Statement, statementOf } from '../database/statement.js'

const MAX_STATEMENTS = 500

/** Statement that is prepared on one connection. */
export interface SqliteStatement extends Statement {
  readonly prepared: PreparedStatement<unknown[]>
  /** Changes of the statement in a sealed table. */
  readonly sealing: Sealing | undefined
  /**
   * Statement that inserts a single row of this insert, if all values are given. All inserts of the same
   * columns share it.
   */
  readonly insertsOne: PreparedStatement<unknown[]> | undefined
}

/** Query compiled by Kysely. */
type Query = Pick<CompiledQuery, 'sql' | 'query'>

/** Statements prepared on one connection, by their SQL. The least recently used ones are dropped. */
export class SqliteStatements {
  private readonly bySql = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS })

  constructor(private readonly database: Database) {}

  /** Prepared statement of a query. Throws if it changes data without declaring its tables. */
  get({ sql, query }: Query): SqliteStatement {
    const known = this.bySql.get(sql)
    if (known) return known
    const created = this.prepare(sql, statementOf(query))
    // Statements prepared before a change of the schema would miss new columns.
    if (created.verb === 'schema') this.bySql.clear()
    else this.bySql.set(sql, created)
    return created
  }

  private prepare(sql: string, statement: Statement): SqliteStatement {
    const sealing = sealingOf(statement)
    const text = sealing?.returning ? textOf(sealing.returning) : sql
    const prepared = this.database.prepare<unknown[]>(text)
    if (!prepared.readonly && (statement.verb === 'unknown' || onlyReads(statement)))
      throw new Error(`Raw SQL that changes something must say which tables it uses: ${sql}`)
    const insertsOne = sealing?.returning ? undefined : this.insertOne(statement, prepared)
    return { ...statement, prepared, sealing, insertsOne }
  }

  private insertOne(
    { node, rows }: Statement,
    prepared: PreparedStatement<unknown[]>,
  ): PreparedStatement<unknown[]> | undefined {
    if (!rows?.areGiven || !rows.columns.includes('id') || node.kind !== 'InsertQueryNode') return undefined
    if (rows.count === 1) return prepared
    const { values } = node
    if (!values || !ValuesNode.is(values)) return undefined
    const one = { ...node, values: ValuesNode.create(values.values.slice(0, 1)) }
    return this.get({ sql: textOf(one), query: one }).prepared
  }
}

/**
 * Compiler that writes parameters as `+?`, whose values SQLite's planner cannot see. A statement is prepared
 * again for each execution if the planner has looked at the value of a parameter.
 */
export class SqliteCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

function textOf(node: RootOperationNode): string {
  return new SqliteCompiler().compileQuery(node, createQueryId()).sql
}
