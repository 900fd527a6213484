import { type Compilable, type CompiledQuery, Kysely, type QueryResult } from 'kysely'
import pg, { type PoolClient, type QueryConfig } from 'pg'
import type { Row, RowValues } from '../../../schema/columns.js'
import type { QueuedEntries } from '../books/seal-queue.js'
import { SealedChanges } from '../books/sealed-changes.js'
import type { Prepared } from '../database/prepared.js'
import { onlyReads } from '../database/statement.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { PostgresCursor } from './driver.js'
import { type Named, type NamedQueries, type PostgresStatement, postgresStatement } from './named-queries.js'
import { PostgresConnectionDialect } from './postgres-dialect.js'
import { queryValues } from './values-query.js'

/**
 * Connection to PostgreSQL that runs the statements of units of work. It lives as long as the pool keeps
 * the client.
 */
export class PostgresConnection implements Tx {
  readonly dialect = 'postgres'
  readonly db: Kysely<Tables>
  readonly any: Kysely<AnyTables>
  /** Changes of the unit of work in sealed tables. */
  readonly unsealed = new SealedChanges()
  readonly changed = this.unsealed
  /** Whether a transaction is open that may change rows. */
  mayChange = false

  constructor(
    private readonly client: PoolClient,
    private readonly queries: NamedQueries,
  ) {
    const dialect = new PostgresConnectionDialect(this)
    this.db = new Kysely<Tables>({ dialect })
    this.any = new Kysely<AnyTables>({ dialect })
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]>
  async run<P extends object>(query: Prepared<P, unknown>, params: P): Promise<unknown[]> {
    if (query.answersValues) {
      const named = this.named(query)
      this.expectRead(named)
      const { name, sql, bind } = named
      return await queryValues(this.client, { name, text: sql, values: bind(params) })
    }
    const { sealing, rows } = await this.execute(query, params)
    return sealing ? [] : rows
  }

  /** Runs a query without a transaction. Throws for raw SQL that does not declare its tables. */
  async runAlone<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    const { statement, sql } = this.named(query)
    if (statement.verb === 'unknown') throw new Error(`Raw SQL must say which tables it uses: ${sql}`)
    return await this.run(query, params)
  }

  async values(query: Compilable): Promise<RowValues[]> {
    const compiled = query.compile()
    this.expectRead(postgresStatement(compiled))
    return await queryValues(this.client, { text: compiled.sql, values: [...compiled.parameters] })
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    return (await this.execute(query, params)).rowCount ?? 0
  }

  /** Prepared form of a query on this connection. */
  named<P extends object>(query: Prepared<P, unknown>): Named<P> {
    return this.queries.get(query, this.db)
  }

  /** Runs a statement of many units of work. The caller must note its changes in sealed tables. */
  async together(statement: QueryConfig): Promise<Row[]> {
    return (await this.client.query<Row>(statement)).rows
  }

  /**
   * Commits, with entries for the books in the same round trip. Returns the command that PostgreSQL
   * performed.
   */
  async commit(queued: readonly QueuedEntries[]): Promise<string> {
    if (queued.length === 0) return (await this.client.query('commit')).command
    const rows = queued.map(
      ({ entries, leaves, mac, control }) =>
        `(${pg.escapeLiteral(entries)}, '\\x${leaves.toString('hex')}', ${pg.escapeLiteral(mac)}, ${control})`,
    )
    const insert = `insert into seal_queue (entries, leaves, mac, control) values ${rows.join(', ')}`
    // Several statements without parameters return one result each.
    const results: unknown = await this.client.query(`${insert}; commit`)
    const last: unknown = Array.isArray(results) ? results.at(-1) : results
    return typeof last === 'object' && last !== null && 'command' in last ? String(last.command) : ''
  }

  /** Runs a statement of Kysely and notes its changes in sealed tables. */
  async query<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const prepared = postgresStatement(query)
    this.expectAllowed(prepared)
    const { sql, sealing } = prepared
    // The extended protocol accepts only one statement, with or without parameters.
    const config: QueryConfig & { readonly queryMode: 'extended' } = {
      text: sql,
      values: [...query.parameters],
      queryMode: 'extended',
    }
    const { command, rows, rowCount } = await this.client.query(config)
    if (sealing) this.unsealed.add(sealing.changes(query.parameters, rows))
    const isChange = ['INSERT', 'UPDATE', 'DELETE'].includes(command)
    return {
      rows: sealing ? [] : rows,
      ...(isChange ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
    }
  }

  /** Rows of a query, in parts of `size` rows. */
  async *stream<R>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<R>> {
    this.expectRead(postgresStatement(query))
    const { sql, parameters } = query
    const cursor = this.client.query(new PostgresCursor<R>(sql, [...parameters]))
    try {
      for (let rows = await cursor.read(size); rows.length > 0; rows = await cursor.read(size)) yield { rows }
    } finally {
      await cursor.close()
    }
  }

  private async execute<P extends object, R>(query: Prepared<P, R>, params: P) {
    const named = this.named(query)
    this.expectAllowed(named)
    const { name, sql, bind, sealing } = named
    const values = bind(params)
    const { rows, rowCount } = await this.client.query({ name, text: sql, values })
    if (sealing) this.unsealed.add(sealing.changes(values, rows))
    return { sealing, rows, rowCount }
  }

  private expectRead(prepared: PostgresStatement): void {
    this.expectAllowed(prepared)
    const { verb } = prepared.statement
    if (verb !== 'unknown' && !onlyReads(prepared.statement))
      throw new Error('A query for values changes nothing')
  }

  /**
   * Throws for raw SQL in a unit of work that does not declare its tables, because it might change sealed
   * rows. Throws for changes outside a unit of work.
   */
  private expectAllowed({ statement, sql }: PostgresStatement): void {
    if (this.mayChange && statement.verb === 'unknown')
      throw new Error(`Raw SQL in a unit of work must say which tables it uses: ${sql}`)
    if (!this.mayChange && statement.verb !== 'unknown' && !onlyReads(statement))
      throw new Error(`Only a unit of work that writes changes anything: ${sql}`)
  }
}
