import type { Stored } from '../../../schema/columns.js'
import { type Prepared, prepared } from './prepared.js'
import type { AnyTables, SqlDialect, Tx } from './store.js'
import type { Tables } from './tables.js'

/** Maximum number of rows up to which each number of rows has a separate statement. */
const MAX_EXACT = 16
/**
 * Maximum rows of one statement. On SQLite, each row takes longer in a long statement than in a short one.
 */
const MAX_ROWS = { postgres: 512, sqlite: 64 } as const

interface InsertOptions {
  /** Whether rows with an existing id are skipped; otherwise they are an error. */
  readonly skipsExisting?: true
}

/**
 * Inserts rows with as few statements as possible. Returns the number of inserted rows. Statements are
 * compiled once: larger batches have sizes that are powers of two, so that there are few statements.
 * `columns` must be a constant of the caller, because it is the cache key.
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

/** Insert of several rows. Its parameters are their values in order, as one list. */
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
