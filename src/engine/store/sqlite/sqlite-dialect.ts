import type { Database } from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  type SqliteQueryCompiler,
} from 'kysely'
import { OneConnection } from '../database/one-connection.js'
import type { SealedExecution } from './sealed-execution.js'
import { SqliteCompiler, type SqliteStatements } from './sqlite-statements.js'

/** Kysely dialect for a connection that is already open, whose statements are prepared once. */
export class SqliteDialect implements Dialect {
  constructor(
    private readonly database: Database,
    private readonly statements: SqliteStatements,
    private readonly execution: SealedExecution,
  ) {}
  createDriver(): Driver {
    return new OneConnection(new KyselyConnection(this.database, this.statements, this.execution))
  }
  createQueryCompiler(): SqliteQueryCompiler {
    return new SqliteCompiler()
  }
  createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }
  createIntrospector(db: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

class KyselyConnection implements DatabaseConnection {
  constructor(
    private readonly database: Database,
    private readonly statements: SqliteStatements,
    private readonly execution: SealedExecution,
  ) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.execution.query<R>(this.statements.get(query), query.parameters)
  }

  /**
   * Rows of a query, one by one. It needs a separate statement, because a statement cannot run again while
   * it is being read.
   */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { sql, parameters } = query
    this.execution.expectWritten(this.statements.get(query), parameters)
    for (const row of this.database.prepare<unknown[], R>(sql).iterate(parameters)) yield { rows: [row] }
  }
}
