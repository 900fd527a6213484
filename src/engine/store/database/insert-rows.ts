import { sql } from 'kysely'
import type { Row } from '../../../schema/columns.js'
import { given, nextValue, type Prepared, preparedInOrder } from './prepared.js'
import type { SqlDialect, Tx } from './store.js'
import type { Tables } from './tables.js'

/** Up to so many rows, each number of them has a statement of its own. */
const MAX_EXACT = 16
/**
 * A database takes only so many values in one statement. PostgreSQL is asked as seldom as possible; SQLite takes longer for
 * each row of a long statement than for one of a short one.
 */
const MAX_ROWS = { postgres: 512, sqlite: 64 } as const

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
    const end = start + batchSize(tx.dialect, rows.length - start)
    const values: unknown[] = []
    for (const row of rows.slice(start, end))
      for (const column of columns) values.push(given(row[column], column))
    inserted += await tx.change(insertOf({ table, columns, existing }, end - start), values)
    start = end
  }
  return inserted
}

function batchSize(dialect: SqlDialect, left: number): number {
  return left <= MAX_EXACT ? left : Math.min(MAX_ROWS[dialect], 2 ** Math.floor(Math.log2(left)))
}

type Insert = Prepared<readonly unknown[], unknown>

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
  const into = sql.join(columns.map((column) => sql.ref(column)))
  const row = sql`(${sql.join(columns.map(() => nextValue))})`
  const values = sql.join(Array.from({ length: rows }, () => row))
  const onConflict = existing === 'kept' ? sql` on conflict (id) do nothing` : sql``
  return preparedInOrder((db) => ({
    compile: () => sql`insert into ${sql.table(table)} (${into}) values ${values}${onConflict}`.compile(db),
  }))
}
