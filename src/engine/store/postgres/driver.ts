import pg from 'pg'
import PgCursor from 'pg-cursor'

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

/** Nobody waits for the end of a client that never connected. */
function ignoreEnd(): void {
  return
}

/** Type ids of integers with 64 bits, and of their sums: all that are stored are exact as JavaScript numbers. */
const INT8 = 20
const NUMERIC = 1700

/** Reads values as SQLite returns them. */
export const valueTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format),
}

/** Reads rows in batches; a cursor does not take the value types of its connection by itself. */
export class PostgresCursor<Row> extends PgCursor<Row> {
  constructor(sql: string, parameters: unknown[]) {
    super(sql, parameters, { types: valueTypes })
  }
}
