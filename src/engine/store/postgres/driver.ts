import pg from 'pg'
import PgCursor from 'pg-cursor'
import type { Stored } from '../../../schema/columns.js'

type ConnectCallback = (error: Error | null) => void

/**
 * Client that closes its socket if connecting fails. The client of the driver leaves the socket open: server
 * and process would keep waiting for each other.
 */
export class PostgresClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    if (!callback) return super.connect()
    super.connect((error: Error | null) => {
      callback(error)
      if (error) this.end(ignoreEnd)
    })
    return undefined
  }
}

/**
 * Sends everything that a client writes during this turn of the event loop to the server at once. A separate
 * write takes as much CPU time as a short statement.
 */
export function sendTogether(client: pg.ClientBase): void {
  if (!(client instanceof PostgresClient)) return
  const { stream } = client.connection
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** Callback for the end of a client that never connected; its result is not needed. */
function ignoreEnd(): void {
  return
}

/** Type ids of 64-bit integers and of their sums. All stored integers are exact as JavaScript numbers. */
const INT8 = 20
const NUMERIC = 1700

/** Reads values as SQLite returns them. */
export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => Stored) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
}

/**
 * Cursor that reads rows in batches. It gets the value types explicitly, because cursors ignore those of
 * the connection.
 */
export class PostgresCursor<Row> extends PgCursor<Row> {
  constructor(sql: string, parameters: unknown[]) {
    super(sql, parameters, { types: valueTypes })
  }
}
