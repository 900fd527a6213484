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
    const { statement, names } = insertOf(table, columns, batch.length)
    const params: Row = {}
    let at = 0
    for (const row of batch) for (const column of columns) params[names[at++] ?? column] = row[column]
    await tx.change(statement, params)
    start += batch.length
  }
}

function batchSize(left: number): number {
  return left <= MAX_EXACT ? left : Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)))
}

interface Insert {
  readonly statement: Prepared<Row, unknown>
  /** Of each value, row after row: of row `n` they are named `column` and `n`, as `amount0`. */
  readonly names: readonly string[]
}

function insertOf(table: string, columns: readonly string[], rows: number): Insert {
  const known = inserts.get(columns) ?? new Map<number, Insert>()
  inserts.set(columns, known)
  const insert = known.get(rows) ?? compileInsert(table, columns, rows)
  known.set(rows, insert)
  return insert
}
const inserts = new WeakMap<readonly string[], Map<number, Insert>>()

function compileInsert(table: string, columns: readonly string[], rows: number): Insert {
  const names = Array.from({ length: rows }, (_, n) => columns.map((column) => `${column}${n}`))
  const into = sql.join(columns.map((column) => sql.ref(column)))
  const statement = prepared<Row, unknown>((db, param) => ({
    compile() {
      const values = sql.join(names.map((row) => sql`(${sql.join(row.map(param))})`))
      return sql`insert into ${sql.table(table)} (${into}) values ${values}`.compile(db)
    },
  }))
  return { statement, names: names.flat() }
}
