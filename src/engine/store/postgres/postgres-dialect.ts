import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { OneConnection } from '../database/one-connection.js'

/** Connection that runs queries compiled by Kysely. */
interface RunsCompiled {
  query<R>(query: CompiledQuery): Promise<QueryResult<R>>
  stream<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>>
}

/** Kysely dialect for the single connection of a unit of work. */
export class PostgresConnectionDialect implements Dialect {
  constructor(private readonly connection: RunsCompiled) {}
  createDriver(): Driver {
    const { connection } = this
    const held: DatabaseConnection = {
      executeQuery: (query) => connection.query(query),
      streamQuery: (query, size = 100) => connection.stream(query, size),
    }
    return new OneConnection(held)
  }
  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler()
  }
  createAdapter(): PostgresAdapter {
    return new PostgresAdapter()
  }
  createIntrospector(db: Parameters<Dialect['createIntrospector']>[0]): DatabaseIntrospector {
    return new PostgresIntrospector(db)
  }
}
