import pg from 'pg'
import { StoreError } from '../database/store-error.js'
import { connectTimeout, databaseLocation, passwordsIn } from './database-location.js'
import { PostgresClient, valueTypes } from './driver.js'
import { explainConnecting } from './postgres-errors.js'

/** Settings for the connections of one pool. */
export interface PoolLimits {
  /** Maximum number of connections. The store never requests more at once. */
  readonly connections: number
  /** Maximum milliseconds of a statement; no limit if omitted. */
  readonly statementTimeout?: number
  /**
   * Whether statements are sent before earlier ones are answered. Cursors cannot be read on such
   * connections.
   */
  readonly pipeline?: boolean
}

/** Pool for units of work and for reads of objects by id. */
export const USUAL: PoolLimits = { connections: 10 }
/** Pool for lists, so that slow lists block no other requests. */
export const LISTS: PoolLimits = { connections: 4, statementTimeout: 30_000, pipeline: true }
/**
 * Pool for comparing a row with the newest log outside the transaction of a read. The read already holds a
 * usual connection, so waiting for a second one could block all reads.
 */
export const BESIDE: PoolLimits = { connections: 1 }
/** Milliseconds that a read waits for a change of the schema. */
const READ_WAIT = 4_000

/** Settings for quoting, so that statements have one meaning whatever the user or the database has set. */
const AS_WRITTEN = 'set standard_conforming_strings = on; set quote_all_identifiers = off'

/** Setting that makes commits wait for the server's disk, even if the user or the database disables it. */
const DURABLE = `select set_config('synchronous_commit', 'local', false) where current_setting('synchronous_commit') = 'off'`

/** Opens a pool of connections to one schema. */
export function openPool(
  databaseUrl: string,
  schema: string,
  { connections, statementTimeout, pipeline = false }: PoolLimits,
): pg.Pool {
  const pool = new pg.Pool({
    Client: PostgresClient,
    connectionString: databaseUrl,
    max: connections,
    pipeline,
    connectionTimeoutMillis: connectTimeout(databaseUrl),
    application_name: 'payctl',
    allowExitOnIdle: true,
    types: valueTypes,
    onConnect: async (client) => {
      // If the server disconnects during a query, the query rejects with the same error, so the event needs
      // no handling.
      client.on('error', reportedByQuery)
      const settings = `set search_path to ${pg.escapeIdentifier(schema)}; set lock_timeout = ${READ_WAIT}; ${AS_WRITTEN}; ${DURABLE}`
      await client.query(
        statementTimeout === undefined
          ? settings
          : `${settings}; set statement_timeout = ${statementTimeout}`,
      )
      await expectOwnSession(client, databaseUrl)
    },
  })
  // The pool drops an idle client that has lost its server; the next unit of work gets a new one.
  pool.on('error', reportedByQuery)
  return pool
}

/** Server sessions of this process's connections. */
const sessions = new Set<string>()

/**
 * Throws a `StoreError` if another connection has the same session. A pooler that shares sessions would also
 * share their settings, so the test environment could use the tables of the live environment.
 */
async function expectOwnSession(client: pg.ClientBase, databaseUrl: string): Promise<void> {
  const { rows } = await client.query<{ session: string }>(
    `select concat(pid, ' ', backend_start) as session from pg_stat_activity where pid = pg_backend_pid()`,
  )
  const session = rows[0]?.session
  if (session === undefined) return
  if (sessions.has(session))
    throw new StoreError(
      'refused',
      `The pooler at ${databaseLocation(databaseUrl)} gives one session to several clients; let it pool by session, ` +
        'or name PostgreSQL itself in PAYCTL_DATABASE_URL.',
    )
  sessions.add(session)
  client.once('end', () => sessions.delete(session))
}

/** Takes a connection from the pool. Throws a `StoreError` if the server gives none. */
export async function connectTo(pool: pg.Pool, place: string): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw explainConnecting(error, place, passwordsIn(pool.options.connectionString))
  }
}

function reportedByQuery(): void {
  return
}
