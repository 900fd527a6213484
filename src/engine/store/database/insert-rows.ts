import { sql } from 'kysely'
import type { Row } from '../../../schema/columns.js'
import { type Prepared, prepared } from './prepared.js'
import type { Tx } from './store.js'
import type { Tables } from './tables.js'

/** Up to so many rows, each number of them has a statement of its own. */
const MAX_EXACT = 16
/** A database takes only so many values in one statement. */
const MAX_ROWS = 512

/**
 * Inserts rows with as few statements as possible. Statements are compiled once: more than a few rows are inserted in
 * powers of two, so that there are not too many of them. `columns` is a constant of the caller.
 */
export async function insertRows<C extends string>(
  tx: Tx,
  table: keyof Tables,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, Row[string]>>[],
): Promise<void> {
  for (let start = 0; start < rows.length; ) {
    const batch = rows.slice(start, start + batchSize(rows.length - start))
    const params: Row = {}
    for (const [n, row] of batch.entries()) {
      for (const column of columns) params[`${column}${n}`] = row[column]
    }
    await tx.change(statementFor(table, columns, batch.length), params)
    start += batch.length
  }
}

function batchSize(left: number): number {
  return left <= MAX_EXACT ? left : Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)))
}

function statementFor(table: string, columns: readonly string[], rows: number): Prepared<Row, unknown> {
  const known = statements.get(columns) ?? new Map<number, Prepared<Row, unknown>>()
  statements.set(columns, known)
  const statement = known.get(rows) ?? compileInsert(table, columns, rows)
  known.set(rows, statement)
  return statement
}
const statements = new WeakMap<readonly string[], Map<number, Prepared<Row, unknown>>>()

/** The values of row `n` are named `column` and `n`, as `amount0`. */
function compileInsert(table: string, columns: readonly string[], rows: number): Prepared<Row, unknown> {
  const names = Array.from({ length: rows }, (_, n) => columns.map((column) => `${column}${n}`))
  const into = sql.join(columns.map((column) => sql.ref(column)))
  return prepared((db, param) => ({
    compile() {
      const values = sql.join(names.map((row) => sql`(${sql.join(row.map(param))})`))
      return sql`insert into ${sql.table(table)} (${into}) values ${values}`.compile(db)
    },
  }))
}
