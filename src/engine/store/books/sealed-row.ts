import { type Expression, type SqlBool, sql } from 'kysely'
import type { Tx } from '../database/store.js'
import { namedRow, type SealedTable, sealedTableOf } from './sealed-table.js'

/** Current row, with its values in the order of its table's columns. */
export interface SealedRow {
  readonly table: SealedTable
  readonly values: readonly unknown[]
}

/** Current row that was sealed under a name; undefined if it is gone. */
export async function readSealedRow({ any }: Tx, name: string): Promise<SealedRow | undefined> {
  const { object, id } = namedRow(name)
  const table = sealedTableOf(object)
  const row = table && (await any.selectFrom(table.table).selectAll().where('id', '=', id).executeTakeFirst())
  return table && row && { table, values: table.valuesOf(row) }
}

/**
 * Next rows of a table after an id, in the order of their ids. Rows whose content follows from the object
 * that they reference are left out.
 */
export async function readSealedRows(
  { any }: Tx,
  table: SealedTable,
  after: string,
  limit: number,
): Promise<readonly SealedRow[]> {
  const rows = await any
    .selectFrom(table.table)
    // All columns: a later migration may add a sealed column that this database does not have yet.
    .selectAll()
    .where(sql.ref('id'), '>', after)
    .where(isSealedByName(table))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ table, values: table.valuesOf(row) }))
}

function isSealedByName({ follows }: SealedTable): Expression<SqlBool> {
  if (!follows) return sql<SqlBool>`1 = 1`
  const { column, prefix } = follows
  return sql<SqlBool>`substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${sql.lit(prefix)}`
}
