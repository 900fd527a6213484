import pg from 'pg'
import { StoreError } from '../database/store-error.js'
import { PostgresClient, valueTypes } from './driver.js'
import { explainConnecting } from './postgres-errors.js'

/** Connections of one kind to an environment. */
export interface PoolLimits {
  /** As many as may be in use at once; the store lets nobody ask for more. */
  readonly connections: number
  /** Milliseconds that a statement may take; none where nothing long is asked. */
  readonly statementTimeout?: number
  /** Whether statements are sent before those before them are answered; a cursor cannot be read on such a connection. */
  readonly pipeline?: boolean
}

/** For units of work, and for objects that are read by their ids. */
export const USUAL: PoolLimits = { connections: 10 }
/** For lists, so that slow ones keep nobody else waiting. */
export const LISTS: PoolLimits = { connections: 4, statementTimeout: 30_000, pipeline: true }
/**
 * For a comparison with the newest log that a read makes outside its transaction. The read holds a usual connection then, so
 * waiting for another of these could block every read.
 */
export const BESIDE: PoolLimits = { connections: 1 }
/** Milliseconds in which the server has to take a new connection. */
const CONNECT_TIMEOUT = 10_000
/** Milliseconds that a read waits for a change of the schema. */
const READ_WAIT = 4_000

/** Texts and names are read and written as statements here mean them, whatever the user or the database has set. */
const AS_WRITTEN = 'set standard_conforming_strings = on; set quote_all_identifiers = off'

/** What is acknowledged is on the server's disk, also where the user or the database does not wait for that. */
const DURABLE = `select set_config('synchronous_commit', 'local', false) where current_setting('synchronous_commit') = 'off'`

/** Connections whose tables are those of one schema. */
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
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: 'payctl',
    allowExitOnIdle: true,
    types: valueTypes,
    onConnect: async (client) => {
      // The server may go away while a client is in use: its query rejects with that, so the event needs no handling.
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
  // An idle client that lost its server is dropped by the pool; the next unit of work gets a new one.
  pool.on('error', reportedByQuery)
  return pool
}

/** Sessions of the server that connections of this process have. */
const sessions = new Set<string>()

/**
 * A pooler that gives a session to several clients would let what one of them has set hold for the others: the test
 * environment's tables would be those of live. Throws a `StoreError` where another connection has the same session.
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

/** A connection of the pool. Throws a `StoreError` when there can be none. */
export async function connectTo(pool: pg.Pool, place: string): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw explainConnecting(error, place)
  }
}

/** Server and database of an address, without the credentials in it. Throws a `StoreError` when it is none. */
export function databaseLocation(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : undefined
  if (!url || !/^postgres(ql)?:$/.test(url.protocol))
    throw new StoreError(
      'refused',
      'PAYCTL_DATABASE_URL is no address of PostgreSQL; write postgres://user@host/database',
    )
  return `${url.host}${url.pathname}`
}

function reportedByQuery(): void {
  return
}
