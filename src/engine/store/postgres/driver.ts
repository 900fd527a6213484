import pg from 'pg'
import PgCursor from 'pg-cursor'
import type { Stored } from '../../../schema/columns.js'

type ConnectCallback = (error: Error | null) => void

/**
 * A client that closes its socket when no connection comes about, as the driver does not: the server would go on
 * waiting for an answer, and this process for the server.
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
 * What is sent through a client during this turn of the event loop goes to the server in one write: that takes as much of the
 * processor as running a short statement.
 */
export function sendTogether(client: pg.ClientBase): void {
  if (!(client instanceof PostgresClient)) return
  const { stream } = client.connection
  stream.cork()
  setImmediate(() => stream.uncork())
}

/** Nobody waits for the end of a client that never connected. */
function ignoreEnd(): void {
  return
}

/** Type ids of integers with 64 bits, and of their sums: all that are stored are exact as JavaScript numbers. */
const INT8 = 20
const NUMERIC = 1700

/** Reads values as SQLite returns them. */
export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => Stored) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
}

/** Reads rows in batches; a cursor does not take the value types of its connection by itself. */
export class PostgresCursor<Row> extends PgCursor<Row> {
  constructor(sql: string, parameters: unknown[]) {
    super(sql, parameters, { types: valueTypes })
  }
}
