import type { Database } from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import type { SealedExecution } from './sealed-execution.js'
import type { SqliteStatements } from './sqlite-statements.js'

/** Kysely on one connection that is already open, with its statements prepared once. */
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
    return new LimitsAsNumbers()
  }
  createAdapter(): SqliteAdapter {
    return new SqliteAdapter()
  }
  createIntrospector(db: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}

/**
 * Writes limits as numbers: SQLite looks at a limit that is bound while it plans, and would prepare the statement anew each
 * time that it runs.
 */
class LimitsAsNumbers extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    if (!ValueNode.is(node.limit)) {
      super.visitLimit(node)
      return
    }
    this.append('limit ')
    this.appendImmediateValue(node.limit.value)
  }
}

/** The store runs one unit of work at a time, so the one connection is always free here. */
class OneConnection implements Driver {
  constructor(private readonly connection: DatabaseConnection) {}
  async init(): Promise<void> {
    return
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }
  async releaseConnection(): Promise<void> {
    return
  }
  async beginTransaction(): Promise<void> {
    throw new Error('A unit of work is begun by store.write')
  }
  async commitTransaction(): Promise<void> {
    throw new Error('A unit of work is committed by store.write')
  }
  async rollbackTransaction(): Promise<void> {
    throw new Error('A unit of work is rolled back by store.write')
  }
  async destroy(): Promise<void> {
    return
  }
}

class KyselyConnection implements DatabaseConnection {
  constructor(
    private readonly database: Database,
    private readonly statements: SqliteStatements,
    private readonly execution: SealedExecution,
  ) {}

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.execution.query<R>(this.statements.get(sql), parameters)
  }

  /** Row by row; a statement of its own, because one that is being read cannot run again meanwhile. */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    this.execution.expectWritten(this.statements.get(sql), parameters)
    for (const row of this.database.prepare<unknown[], R>(sql).iterate(parameters)) yield { rows: [row] }
  }
}
