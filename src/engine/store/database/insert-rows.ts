import { sql } from 'kysely'
import type { Row } from '../../../schema/columns.js'
import { type Prepared, prepared } from './prepared.js'
import type { Tx } from './store.js'
import type { Tables } from './tables.js'

/** Up to so many rows, each number of them has a statement of its own. */
const MAX_EXACT = 16
/** A database takes only so many values in one statement. */
const MAX_ROWS = 512

/** What becomes of a row whose id exists. */
type Existing = 'refused' | 'kept'

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
  await insertInBatches(tx, table, columns, rows, 'refused')
}

/** The same, but rows whose ids exist stay as they are. Answers how many were inserted. */
export function insertMissingRows<C extends string>(
  tx: Tx,
  table: keyof Tables,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, Row[string]>>[],
): Promise<number> {
  return insertInBatches(tx, table, columns, rows, 'kept')
}

async function insertInBatches<C extends string>(
  tx: Tx,
  table: keyof Tables,
  columns: readonly C[],
  rows: readonly Readonly<Record<C, Row[string]>>[],
  existing: Existing,
): Promise<number> {
  let inserted = 0
  for (let start = 0; start < rows.length; ) {
    const batch = rows.slice(start, start + batchSize(rows.length - start))
    const { statement, names } = insertOf({ table, columns, existing }, batch.length)
    const params: Row = {}
    let at = 0
    for (const row of batch) for (const column of columns) params[names[at++] ?? column] = row[column]
    inserted += await tx.change(statement, params)
    start += batch.length
  }
  return inserted
}

function batchSize(left: number): number {
  return left <= MAX_EXACT ? left : Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(left)))
}

interface Insert {
  readonly statement: Prepared<Row, unknown>
  /** Of each value, row after row: of row `n` they are named `column` and `n`, as `amount0`. */
  readonly names: readonly string[]
}

/** Inserts into a table, whatever the number of rows. */
interface Into {
  readonly table: string
  readonly columns: readonly string[]
  readonly existing: Existing
}

function insertOf(into: Into, rows: number): Insert {
  const all = inserts.get(into.columns) ?? { refused: new Map(), kept: new Map() }
  inserts.set(into.columns, all)
  const known = all[into.existing]
  const insert = known.get(rows) ?? compileInsert(into, rows)
  known.set(rows, insert)
  return insert
}
const inserts = new WeakMap<readonly string[], Readonly<Record<Existing, Map<number, Insert>>>>()

function compileInsert({ table, columns, existing }: Into, rows: number): Insert {
  const names = Array.from({ length: rows }, (_, n) => columns.map((column) => `${column}${n}`))
  const into = sql.join(columns.map((column) => sql.ref(column)))
  const onConflict = existing === 'kept' ? sql` on conflict (id) do nothing` : sql``
  const statement = prepared<Row, unknown>((db, param) => ({
    compile() {
      const values = sql.join(names.map((row) => sql`(${sql.join(row.map(param))})`))
      return sql`insert into ${sql.table(table)} (${into}) values ${values}${onConflict}`.compile(db)
    },
  }))
  return { statement, names: names.flat() }
}
