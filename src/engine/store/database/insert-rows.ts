import type { Stored } from '../../../schema/columns.js'
import { type Prepared, prepared } from './prepared.js'
import type { AnyTables, SqlDialect, Tx } from './store.js'
import type { Tables } from './tables.js'

/** Up to so many rows, each number of them has a statement of its own. */
const MAX_EXACT = 16
/** Rows of one statement. SQLite takes longer for each row of a long statement than for one of a short one. */
const MAX_ROWS = { postgres: 512, sqlite: 64 } as const

interface InsertOptions {
  /** Whether a row whose id exists is left out; otherwise it is an error. */
  readonly skipsExisting?: true
}

/**
 * Inserts rows with as few statements as possible; returns how many were inserted. Statements are compiled once: more than
 * a few rows are inserted in powers of two, so that there are few of them. `columns` is a constant of the caller.
 */
export async function insertRows<C extends string>(
  tx: Tx,
  table: keyof Tables,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, Stored>>[],
  options: InsertOptions = {},
): Promise<number> {
  let inserted = 0
  for (let start = 0; start < rows.length; ) {
    const batch = rows.slice(start, start + batchSize(tx.dialect, rows.length - start))
    const values = batch.flatMap((row) => columns.map((column) => row[column]))
    inserted += await tx.change(insertOf(table, columns, batch.length, options), values)
    start += batch.length
  }
  return inserted
}

function batchSize(dialect: SqlDialect, left: number): number {
  return left <= MAX_EXACT ? left : Math.min(MAX_ROWS[dialect], 2 ** Math.floor(Math.log2(left)))
}

/** An insert of some rows; its parameters are their values in order, as one list. */
type Insert = Prepared<readonly Stored[], unknown>

function insertOf(
  table: string,
  columns: readonly string[],
  rows: number,
  { skipsExisting = false }: { readonly skipsExisting?: boolean },
): Insert {
  const known = inserts.get(columns) ?? new Map<string, Insert>()
  inserts.set(columns, known)
  const key = `${table} ${rows} ${skipsExisting}`
  const insert =
    known.get(key) ??
    prepared((db, param) => {
      const values = Array.from({ length: rows }, (_, row) =>
        Object.fromEntries(columns.map((column, index) => [column, param(row * columns.length + index)])),
      )
      const query = db.withTables<AnyTables>().insertInto(table).values(values)
      return skipsExisting ? query.onConflict((conflict) => conflict.column('id').doNothing()) : query
    })
  known.set(key, insert)
  return insert
}
const inserts = new WeakMap<readonly string[], Map<string, Insert>>()
