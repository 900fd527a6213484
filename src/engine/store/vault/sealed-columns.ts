import { type Expression, type SqlBool, sql } from 'kysely'
import { resources } from '../../../resources/resource-table.js'
import { type Row, type VaultColumn, vaultColumnsOf } from '../../../schema/columns.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../database/store.js'
import type { Keyring } from './keyring.js'
import { numberHashPrefix } from './number-hash.js'
import type { Place } from './vault.js'

/** Column with values made by the vault, and its table. */
export interface SealedColumn extends VaultColumn {
  readonly table: string
}

/**
 * All columns of the declarations whose values need keys of the vault; each once, even if resources share a
 * table.
 */
export function sealedColumns(): readonly SealedColumn[] {
  const found = new Map<string, SealedColumn>()
  const declarations: readonly Resource[] = Object.values(resources)
  for (const declaration of declarations)
    for (const column of vaultColumnsOf(declaration)) {
      const table = tableNameOf(declaration)
      found.set(`${table}.${column.name}`, { table, ...column })
    }
  return [...found.values()]
}

/** Columns of `sealedColumns`, by table. */
export function sealedColumnsByTable(): ReadonlyMap<string, readonly SealedColumn[]> {
  const tables = new Map<string, readonly SealedColumn[]>()
  for (const column of sealedColumns())
    tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

/** Columns whose values an encrypted column is bound to. */
function boundColumns(table: string, column: string): readonly string[] {
  return bindings().get(`${table}.${column}`) ?? []
}

/** Place of an encrypted value in a row, with the values that its declaration binds it to. */
export function sealedPlace(table: string, column: string, row: Readonly<Partial<Row>>): Place {
  const values = boundColumns(table, column).map((name) => row[name] ?? null)
  return { table, column, id: String(row['id']), boundTo: values }
}

function bindings(): ReadonlyMap<string, readonly string[]> {
  known ??= new Map(sealedColumns().map(({ table, name, boundTo }) => [`${table}.${name}`, boundTo]))
  return known
}
let known: ReadonlyMap<string, readonly string[]> | undefined

/** Whether a column of a row holds a value that was not made with the current key. */
export function isUnderOlderKey(keyring: Keyring, { name, content }: VaultColumn): Expression<SqlBool> {
  const prefix = content === 'sealed' ? `${keyring.current}.` : numberHashPrefix(keyring)
  const column = sql.ref(name)
  // Hashes of a home's first key have no prefix, and no older hashes exist.
  if (prefix === '') return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`(${column} is not null and substr(${column}, 1, ${sql.lit(prefix.length)}) <> ${sql.lit(prefix)})`
}

/** First column that holds a value not made with the current key; undefined if there is none. */
export async function findUnderOlderKey(
  { any }: Tx,
  keyring: Keyring,
  columns: readonly SealedColumn[],
): Promise<SealedColumn | undefined> {
  for (const column of columns) {
    const row = await any
      .selectFrom(column.table)
      .select('id')
      .where(isUnderOlderKey(keyring, column))
      .limit(1)
      .executeTakeFirst()
    if (row) return column
  }
  return undefined
}
