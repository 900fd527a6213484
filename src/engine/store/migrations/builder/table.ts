import { type CreateTableBuilder, type Expression, type SqlBool, sql } from 'kysely'
import type { Tx } from '../../database/store.js'

export type ColumnSpec = 'text' | 'text required' | 'integer' | 'integer required' | 'bytes required'
export type Columns = { readonly [name: string]: ColumnSpec }

/** What must hold for every row. */
export interface Constraints {
  /** Conditions by name. */
  readonly checks?: { readonly [name: string]: Expression<unknown> }
  /** Columns that name a row of another table, which must be there. */
  readonly references?: { readonly [column: string]: string }
  /** Short rows that are kept in the order of their ids, without a second tree that leads to them (SQLite). */
  readonly clustered?: true
}

/**
 * Creates a table whose key is `id`. Texts compare by their bytes on both databases; integers have 64 bits; SQLite
 * checks the types as PostgreSQL does.
 */
export async function createTable(
  { any, dialect }: Tx,
  name: string,
  columns: Columns,
  { checks = {}, references = {}, clustered }: Constraints = {},
): Promise<void> {
  const types =
    dialect === 'postgres'
      ? { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea` }
      : { text: sql`text`, integer: sql`integer`, bytes: sql`blob` }
  let table: CreateTableBuilder<string, string> = any.schema.createTable(name)
  for (const [column, spec] of Object.entries(columns)) {
    const type = types[kindOf(spec)]
    table = table.addColumn(column, type, (built) => (spec.endsWith('required') ? built.notNull() : built))
  }
  table = table.addPrimaryKeyConstraint(`${name}_pkey`, ['id'])
  for (const [check, holds] of Object.entries(checks))
    table = table.addCheckConstraint(`${name}_${check}`, holds)
  for (const [column, to] of Object.entries(references))
    table = table.addForeignKeyConstraint(`${name}_${column}_fkey`, [column], to, ['id'])
  const kind = clustered ? sql`strict, without rowid` : sql`strict`
  await (dialect === 'sqlite' ? table.modifyEnd(kind) : table).execute()
}

function kindOf(spec: ColumnSpec): 'text' | 'integer' | 'bytes' {
  switch (spec) {
    case 'text':
    case 'text required':
      return 'text'
    case 'integer':
    case 'integer required':
      return 'integer'
    case 'bytes required':
      return 'bytes'
  }
}

export interface IndexOptions {
  readonly unique?: true
  /** Leaves out the rows whose first column holds nothing. */
  readonly sparse?: true
  /** Leaves out the rows for which this does not hold. */
  readonly where?: Expression<SqlBool>
}

/** Creates an index, named after its table and first columns. */
export async function createIndex(
  { any }: Tx,
  table: string,
  columns: readonly string[],
  { unique, sparse, where }: IndexOptions = {},
): Promise<void> {
  const [first = ''] = columns
  let index = any.schema
    .createIndex(`${table}_by_${columns.slice(0, 2).join('_')}`)
    .on(table)
    .columns([...columns])
  if (unique) index = index.unique()
  if (sparse) index = index.where(sql.ref(first), 'is not', null)
  if (where) index = index.where(where)
  await index.execute()
}

/** What every resource has. */
export const resourceColumns: Columns = {
  id: 'text required',
  attrs: 'text',
  created_at: 'text required',
  modified_at: 'text required',
  deleted_at: 'text',
}
