import PgCursor from 'pg-cursor'
import { types } from './types.js'

/** Reads rows in portions; a cursor has to be told the types of values that its connection knows. */
export class Cursor<Row> extends PgCursor<Row> {
  constructor(sql: string, parameters: unknown[]) {
    super(sql, parameters, { types })
  }
}
