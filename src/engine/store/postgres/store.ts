import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Store, Tx, WriteOptions } from '../database/store.js'
import { NamedQueries, PostgresConnection } from './connection.js'
import { explainPostgresError, isConflict } from './errors.js'
import { connectTo } from './pool.js'

/** How often a work that lost against another may run. */
const ATTEMPTS = 10
const LONGEST_PAUSE = 200

/** One environment in one schema of PostgreSQL. */
export class PostgresStore implements Store {
  readonly dialect = 'postgres'
  private readonly connections = new WeakMap<PoolClient, PostgresConnection>()
  private readonly queries = new NamedQueries()

  constructor(
    private readonly pool: Pool,
    private readonly place: string,
  ) {}

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction('begin isolation level repeatable read read only', work, 'commit')
  }

  async write<T>(work: (tx: Tx) => Promise<T>, { discard = false }: WriteOptions = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transaction(
          'begin isolation level read committed',
          work,
          discard ? 'rollback' : 'commit',
        )
      } catch (error) {
        const conflict = error instanceof Error && isConflict(error.cause)
        if (!conflict || attempt === ATTEMPTS) throw error
        await pause(Math.min(2 ** attempt, LONGEST_PAUSE))
      }
    }
  }

  async close(): Promise<void> {
    await this.pool.end()
  }

  private async transaction<T>(begin: string, work: (tx: Tx) => Promise<T>, end: string): Promise<T> {
    const client = await connectTo(this.pool, this.place)
    try {
      return await this.inTransaction(client, begin, work, end)
    } catch (error) {
      throw explainPostgresError(error, this.place)
    }
  }

  private async inTransaction<T>(
    client: PoolClient,
    begin: string,
    work: (tx: Tx) => Promise<T>,
    end: string,
  ): Promise<T> {
    let broken = false
    try {
      await client.query(begin)
      const answer = await work(this.connectionOf(client))
      const { command } = await client.query(end)
      // PostgreSQL answers the commit of a failed transaction with ROLLBACK, not with an error.
      if (command.toLowerCase() !== end)
        throw new Error('A unit of work went on after a statement of it had failed')
      return answer
    } catch (error) {
      broken = !(await rolledBack(client))
      throw error
    } finally {
      client.release(broken)
    }
  }

  private connectionOf(client: PoolClient): PostgresConnection {
    const known = this.connections.get(client)
    if (known) return known
    const created = new PostgresConnection(client, this.queries)
    this.connections.set(client, created)
    return created
  }
}

/** Whether a connection could end its transaction; one that could not is thrown away, and the server ends it. */
async function rolledBack(client: PoolClient): Promise<boolean> {
  return client.query('rollback').then(
    () => true,
    () => false,
  )
}
