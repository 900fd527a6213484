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

/** The rows of an insert that does nothing else and returns nothing. */
export interface InsertedRows {
  readonly columns: readonly string[]
  /** The position of the id among the columns; -1 without one. */
  readonly id: number
  readonly count: number
  /** Whether the parameters of the statement are the values, row by row; otherwise some are computed. */
  readonly areGiven: boolean
  /** The columns that are replaced in a row whose id exists; undefined where such a row is an error. */
  readonly replaced: readonly string[] | undefined
}

/** The rows of an insert; undefined where it returns something, has other parts, or keeps rows that exist. */
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

/** The columns that `on conflict (id) do update set … = excluded.…` replaces; undefined for any other conflict. */
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
