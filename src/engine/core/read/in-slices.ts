import type { RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { Row, RowValues, Stored } from '../../../schema/columns.js'
import type { AnyTables, Scan, Tx } from '../../store/database/store.js'
import { tooSlow } from '../../store/database/store-error.js'
import type { SortKey } from './order.js'

/**
 * Maximum number of rows that are kept while a table is read in slices. Later rows can be reached with
 * `after`.
 */
const MAX_KEPT = 10_000

/** Rows in an order, as a query that can be restricted further. */
export interface OrderedRows {
  readonly table: string
  readonly rows: SelectQueryBuilder<AnyTables, string, Row>
  readonly keys: readonly SortKey[]
  /** Number of values that are selected of each row. */
  readonly width: number
}

/**
 * Reads the first `limit` rows after `offset`. If the table is read in slices, the first rows of each slice
 * are merged.
 */
export async function firstRows(
  tx: Tx,
  { table, rows, keys, width }: OrderedRows,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<RowValues[]> {
  const { scan } = tx
  const atOnce = () => tx.values(rows.limit(limit).offset(offset))
  if (!scan) return await atOnce()
  const read = await scan.attempt(atOnce)
  if (read) return read.answer
  const most = offset + limit
  if (most > MAX_KEPT) throw tooSlow()
  const sortable = rows.select(keys.map(({ value }, n) => value.as(keyColumn(n)))).limit(most)
  let first: RowValues[] = []
  await scan.slices(table, async (isInside) => {
    const found = await tx.values(sortable.where(isInside))
    first = [...first, ...found].sort((a, b) => compareRows(a, b, { keys, width })).slice(0, most)
  })
  return first.slice(offset).map((row) => row.slice(0, width))
}

/** Sum of a number over all slices; computed by one statement if there are no slices. */
export async function total(
  scan: Scan | undefined,
  table: string,
  count: (isInside?: RawBuilder<SqlBool>) => Promise<number>,
): Promise<number> {
  if (!scan) return await count()
  const read = await scan.attempt(() => count())
  if (read) return read.answer
  let sum = 0
  await scan.slices(table, async (isInside) => {
    sum += await count(isInside)
  })
  return sum
}

/** Name of a sort key's column; no declared column has such a name. */
function keyColumn(index: number): string {
  return `key_${index}`
}

/** Compares rows by their keys, which were selected after all other values. */
function compareRows(
  a: RowValues,
  b: RowValues,
  { keys, width }: Pick<OrderedRows, 'keys' | 'width'>,
): number {
  for (const [index, { direction }] of keys.entries()) {
    const place = width + index
    const order = compareStored(a[place] ?? null, b[place] ?? null)
    if (order !== 0) return direction === 'asc' ? order : -order
  }
  return 0
}

/** Compares values as SQLite does: null, numbers, then texts by their bytes. */
function compareStored(a: Stored, b: Stored): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
