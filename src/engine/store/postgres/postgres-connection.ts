import {
  type Compilable,
  Kysely,
  type PostgresCursor as KyselyCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg, { type PoolClient, type QueryConfig } from 'pg'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { QueuedEntries } from '../books/seal-queue.js'
import { SealedChanges } from '../books/sealed-changes.js'
import { sealedStatement } from '../books/sealed-statement.js'
import type { Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { PostgresCursor } from './driver.js'
import type { Named, NamedQueries } from './named-queries.js'
import { queryValues } from './values-query.js'

/** One connection to PostgreSQL and what units of work do on it; lives as long as the pool keeps the client. */
export class PostgresConnection implements Tx {
  readonly dialect = 'postgres'
  readonly db: Kysely<Tables>
  readonly any: Kysely<AnyTables>
  /** What the work has changed in sealed tables. */
  readonly changes = new SealedChanges()

  constructor(
    private readonly client: PoolClient,
    private readonly queries: NamedQueries,
  ) {
    const dialect = new PostgresDialect({ pool: poolOf(client, this.changes), cursor: PostgresCursor })
    this.db = new Kysely<Tables>({ dialect })
    this.any = new Kysely<AnyTables>({ dialect })
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]>
  async run<P extends object>(query: Prepared<P, unknown>, params: P): Promise<unknown[]> {
    if (query.answersValues) {
      const { name, sql, bind } = this.named(query)
      return await queryValues(this.client, { name, text: sql, values: bind(params) })
    }
    const { sealed, rows } = await this.execute(query, params)
    return sealed ? [] : rows
  }

  async values(query: Compilable): Promise<RowValues[]> {
    const { sql, parameters } = query.compile()
    return await queryValues(this.client, { text: sql, values: [...parameters] })
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    return (await this.execute(query, params)).rowCount ?? 0
  }

  /** A query as it is prepared here. */
  named<P extends object>(query: Prepared<P, unknown>): Named<P> {
    return this.queries.get(query, this.db)
  }

  /** Runs a statement of many units of work; what it changes in sealed tables is to be noted by who knows it. */
  async together(statement: QueryConfig): Promise<Row[]> {
    return (await this.client.query<Row>(statement)).rows
  }

  /** Commits, with entries for the books in the same round trip. Answers what PostgreSQL did. */
  async commit(queued: readonly QueuedEntries[]): Promise<string> {
    if (queued.length === 0) return (await this.client.query('commit')).command
    const rows = queued.map(
      ({ entries, leaves, mac }) =>
        `(${pg.escapeLiteral(entries)}, '\\x${leaves.toString('hex')}', ${pg.escapeLiteral(mac)})`,
    )
    const insert = `insert into seal_queue (entries, leaves, mac) values ${rows.join(', ')}`
    // Several statements without parameters have a result each.
    const results: unknown = await this.client.query(`${insert}; commit`)
    const last: unknown = Array.isArray(results) ? results.at(-1) : results
    return typeof last === 'object' && last !== null && 'command' in last ? String(last.command) : ''
  }

  private async execute<P extends object, R>(query: Prepared<P, R>, params: P) {
    const { name, sql, bind, sealed } = this.named(query)
    const values = bind(params)
    const { rows, rowCount } = await this.client.query({ name, text: sql, values })
    if (sealed) this.changes.add(sealed.changes(values, rows))
    return { sealed, rows, rowCount }
  }
}

/** A pool of the one client that a unit of work holds, which stays its own when a query ends. */
function poolOf(client: PoolClient, changes: SealedChanges): PostgresPool {
  const held = new SealedClient(client, changes)
  return { connect: async () => held, end: async () => undefined, options: {} }
}

/** What Kysely runs statements on: what they change in sealed tables is noted. */
class SealedClient implements PostgresPoolClient {
  constructor(
    private readonly client: PoolClient,
    private readonly changes: SealedChanges,
  ) {}

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: KyselyCursor<R>): KyselyCursor<R>
  query(statement: unknown, parameters: readonly unknown[] = []): unknown {
    if (statement instanceof PostgresCursor) return this.client.query(statement)
    return this.run(String(statement), parameters)
  }

  release(): void {
    return
  }

  private async run(sql: string, parameters: readonly unknown[]) {
    const sealed = sealedStatement(sql)
    const result = await this.client.query(sealed?.sql ?? sql, [...parameters])
    if (!sealed) return result
    this.changes.add(sealed.changes(parameters, result.rows))
    return { command: result.command, rowCount: result.rowCount, rows: [] }
  }
}
