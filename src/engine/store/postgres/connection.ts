import {
  Kysely,
  type PostgresCursor as KyselyCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg, { type PoolClient } from 'pg'
import type { QueuedEntries } from '../books/seal-queue.js'
import { SealedChanges } from '../books/sealed-changes.js'
import { type SealedStatement, sealedStatement } from '../books/sealed-statement.js'
import { type Compiled, compile, type Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { PostgresCursor } from './driver.js'

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

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    const { sealed, rows } = await this.execute(query, params)
    return sealed ? [] : rows
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    return (await this.execute(query, params)).rowCount ?? 0
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
    const { name, sql, bind, sealed } = this.queries.get(query, this.db)
    const values = bind(params)
    const { rows, rowCount } = await this.client.query({ name, text: sql, values })
    if (sealed) this.changes.add(sealed.changes(values, rows))
    return { sealed, rows, rowCount }
  }
}

interface Named<P extends object> extends Compiled<P> {
  readonly name: string
  /** What it changes in a sealed table. */
  readonly sealed: SealedStatement | undefined
}

/** Prepared queries of one store, each under a name that PostgreSQL remembers it by on every connection. */
export class NamedQueries {
  private readonly known = new WeakMap<object, Named<never>>()
  private count = 0

  get<P extends object, R>(query: Prepared<P, R>, db: Kysely<Tables>): Named<P> {
    const known = this.known.get(query)
    if (known) return known
    const compiled = compile(query, db)
    const sealed = sealedStatement(compiled.sql)
    const created = { ...compiled, sql: sealed?.sql ?? compiled.sql, sealed, name: `payctl_${++this.count}` }
    this.known.set(query, created)
    return created
  }
}

/** A pool of the one client that a unit of work holds, which stays its own when a query ends. */
function poolOf(client: PoolClient, changes: SealedChanges): PostgresPool {
  const held = new SealedClient(client, changes)
  return { connect: async () => held, end: async () => undefined }
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
