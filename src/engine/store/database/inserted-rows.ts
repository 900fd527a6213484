import {
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type OnConflictNode,
  type OperationNode,
  PrimitiveValueListNode,
  ReferenceNode,
  ValueNode,
  ValuesNode,
} from 'kysely'

/** Rows of a plain insert, which has no other parts and returns no rows. */
export interface InsertedRows {
  readonly columns: readonly string[]
  /** Position of the id among the columns; -1 if there is none. */
  readonly id: number
  readonly count: number
  /** Whether the statement's parameters are the values, row by row. Otherwise some values are computed. */
  readonly areGiven: boolean
  /** Columns that are replaced in an existing row with the same id; undefined if such a row is an error. */
  readonly replaced: readonly string[] | undefined
}

/** Rows of an insert; undefined if it returns rows, has other parts, or keeps existing rows. */
export function insertedRows(node: InsertQueryNode): InsertedRows | undefined {
  const { into: _, kind: __, columns = [], values, onConflict, ...others } = node
  if (!values || !ValuesNode.is(values)) return undefined
  if (Object.values(others).some((part) => part !== undefined && part !== false)) return undefined
  const replaced = onConflict && replacedBy(onConflict)
  if (onConflict && !replaced) return undefined
  const names = columns.map(({ column }) => column.name)
  return {
    columns: names,
    id: names.indexOf('id'),
    count: values.values.length,
    areGiven: values.values.every((row) => PrimitiveValueListNode.is(row) || row.values.every(isGiven)),
    replaced,
  }
}

/**
 * Columns that `on conflict (id) do update set … = excluded.…` replaces; undefined for any other conflict
 * clause.
 */
function replacedBy(conflict: OnConflictNode): readonly string[] | undefined {
  const { kind: _, columns = [], updates = [], ...others } = conflict
  const [only, ...more] = columns.map(({ column }) => column.name)
  if (only !== 'id' || more.length > 0 || updates.length === 0) return undefined
  if (Object.values(others).some((part) => part !== undefined && part !== false)) return undefined
  const names = updates.flatMap((update) => replacedColumn(update) ?? [])
  return names.length === updates.length ? names : undefined
}

function replacedColumn({ column, value }: ColumnUpdateNode): string | undefined {
  if (!ColumnNode.is(column) || !ReferenceNode.is(value) || !ColumnNode.is(value.column)) return undefined
  const { name } = column.column
  const isExcluded = value.table?.table.identifier.name === 'excluded' && value.column.column.name === name
  return isExcluded ? name : undefined
}

function isGiven(value: OperationNode): boolean {
  return ValueNode.is(value) && value.immediate !== true
}
