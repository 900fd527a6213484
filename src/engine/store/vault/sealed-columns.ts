import { type Expression, type SqlBool, sql } from 'kysely'
import { resources } from '../../../resources/resource-table.js'
import { type Row, type VaultColumn, vaultColumnsOf } from '../../../schema/columns.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import type { Tx } from '../database/store.js'
import type { Keyring } from './keyring.js'
import { numberHashPrefix } from './number-hash.js'
import type { Place } from './vault.js'

/** A column of what the vault made, and where it is. */
export interface SealedColumn extends VaultColumn {
  readonly table: string
}

/**
 * Every column that the keys of the vault are needed for, as the declarations have it; once for resources that share a
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

/** The same columns, by the name of their table. */
export function sealedColumnsByTable(): ReadonlyMap<string, readonly SealedColumn[]> {
  const tables = new Map<string, readonly SealedColumn[]>()
  for (const column of sealedColumns())
    tables.set(column.table, [...(tables.get(column.table) ?? []), column])
  return tables
}

/** The columns of a table that its sealed column is bound to. */
function boundColumns(table: string, column: string): readonly string[] {
  return bindings().get(`${table}.${column}`) ?? []
}

/** The place of a sealed column in a row, with the values that the declaration binds it to. */
export function sealedPlace(table: string, column: string, row: Readonly<Partial<Row>>): Place {
  const values = boundColumns(table, column).map((name) => row[name] ?? null)
  return { table, column, id: String(row['id']), boundTo: values }
}

function bindings(): ReadonlyMap<string, readonly string[]> {
  known ??= new Map(sealedColumns().map(({ table, name, boundTo }) => [`${table}.${name}`, boundTo]))
  return known
}
let known: ReadonlyMap<string, readonly string[]> | undefined

/** Whether a column of a row holds something that is not under the current key. */
export function isUnderOlderKey(keyring: Keyring, { name, content }: VaultColumn): Expression<SqlBool> {
  const prefix = content === 'sealed' ? `${keyring.current}.` : numberHashPrefix(keyring)
  const column = sql.ref(name)
  // There is nothing older than the hashes of a home's first key, which begin with no id.
  if (prefix === '') return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`(${column} is not null and substr(${column}, 1, ${sql.lit(prefix.length)}) <> ${sql.lit(prefix)})`
}

/** The first column that holds something under a key other than the current one; nothing when none does. */
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
