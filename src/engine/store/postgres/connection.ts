import { Kysely, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { type Compiled, compile, type Prepared } from '../database/prepared.js'
import type { AnyTables, Tx } from '../database/store.js'
import type { Tables } from '../database/tables.js'
import { PostgresCursor } from './driver.js'

/** One connection to PostgreSQL and what units of work do on it; lives as long as the pool keeps the client. */
export class PostgresConnection implements Tx {
  readonly dialect = 'postgres'
  readonly db: Kysely<Tables>
  readonly any: Kysely<AnyTables>

  constructor(
    private readonly client: PoolClient,
    private readonly queries: NamedQueries,
  ) {
    const dialect = new PostgresDialect({ pool: poolOf(client), cursor: PostgresCursor })
    this.db = new Kysely<Tables>({ dialect })
    this.any = new Kysely<AnyTables>({ dialect })
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    const { name, sql, bind } = this.queries.get(query, this.db)
    return (await this.client.query({ name, text: sql, values: bind(params) })).rows
  }

  async change<P extends object>(query: Prepared<P, unknown>, params: P): Promise<number> {
    const { name, sql, bind } = this.queries.get(query, this.db)
    return (await this.client.query({ name, text: sql, values: bind(params) })).rowCount ?? 0
  }
}

interface Named<P extends object> extends Compiled<P> {
  readonly name: string
}

/** Prepared queries of one store, each under a name that PostgreSQL remembers it by on every connection. */
export class NamedQueries {
  private readonly known = new WeakMap<object, Named<never>>()
  private count = 0

  get<P extends object, R>(query: Prepared<P, R>, db: Kysely<Tables>): Named<P> {
    const known = this.known.get(query)
    if (known) return known
    const created = { ...compile(query, db), name: `payctl_${++this.count}` }
    this.known.set(query, created)
    return created
  }
}

/** A pool of the one client that a unit of work holds, which stays its own when a query ends. */
function poolOf(client: PoolClient): ConstructorParameters<typeof PostgresDialect>[0]['pool'] {
  const held = { query: client.query.bind(client), release: () => undefined }
  return { connect: async () => held, end: async () => undefined }
}
