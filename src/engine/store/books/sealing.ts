import {
  AliasNode,
  ColumnNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  type InsertQueryNode,
  ReferenceNode,
  ReturningNode,
  SelectionNode,
  TableNode,
  type UpdateQueryNode,
} from 'kysely'
import type { Row } from '../../../schema/columns.js'
import type { ChangeNode, Statement } from '../database/statement.js'
import { type SealedTable, sealedTables } from './sealed-table.js'

/** Row after a statement, or row that a statement removed. */
export interface SealedChange {
  readonly table: SealedTable
  readonly values: readonly unknown[]
  readonly removed?: true
}

/** Changes that a statement makes in a sealed table. */
export interface Sealing {
  /**
   * Statement to run instead, which returns the changed rows; undefined if the parameters already are the
   * rows.
   */
  readonly returning: ChangeNode | undefined
  /** Changes, from the statement's parameters or from the rows that it returned. */
  changes(parameters: readonly unknown[], rows: readonly Row[]): SealedChange[]
}

/**
 * Sealing of a statement; undefined if the statement changes no sealed column. Every statement is checked
 * here. Throws if a sealed table is changed in a way that does not show the changed rows.
 */
export function sealingOf(statement: Statement): Sealing | undefined {
  const { verb, writes, node, rows, table: name } = statement
  const sealed = [...writes].flatMap((each) => sealedTables().get(each) ?? [])
  const [table] = sealed
  if (!table) return undefined
  if (sealed.length > 1 || table.table !== name) throw cannotSeal(table, `a part of a ${verb}`)
  switch (node.kind) {
    case 'InsertQueryNode':
      expectSealable(node, table)
      return rows?.areGiven && leavesGiven(rows.replaced, table)
        ? ofGivenRows(table, rows.columns)
        : ofReturnedRows(node, table)
    case 'UpdateQueryNode':
      if (setsId(node.updates ?? [])) throw cannotSeal(table, 'an update of their ids')
      return setsAny(node.updates ?? [], table) ? ofReturnedRows(node, table) : undefined
    case 'DeleteQueryNode':
      return ofReturnedRows(node, table)
    default:
      throw cannotSeal(table, `a ${verb}`)
  }
}

/** Throws for an insert that may silently replace or skip a row. */
function expectSealable(node: InsertQueryNode, table: SealedTable): void {
  if (node.orAction || node.replace || node.onDuplicateKey)
    throw cannotSeal(table, 'an insert that replaces or ignores rows')
}

/**
 * Whether existing rows get the given values: all sealed columns are replaced, or an existing row is an
 * error.
 */
function leavesGiven(replaced: readonly string[] | undefined, { columns }: SealedTable): boolean {
  return replaced === undefined || columns.every(({ column }) => column === 'id' || replaced.includes(column))
}

/** Whether an update sets a sealed column, or a column whose name is not known. */
function setsAny(updates: readonly ColumnUpdateNode[], { columns }: SealedTable): boolean {
  const names = new Set(columns.map(({ column }) => column))
  return updates.some(({ column }) => !ColumnNode.is(column) || names.has(column.column.name.toLowerCase()))
}

function setsId(updates: readonly ColumnUpdateNode[]): boolean {
  return updates.some(({ column }) => ColumnNode.is(column) && column.column.name.toLowerCase() === 'id')
}

function ofGivenRows(table: SealedTable, names: readonly string[]): Sealing {
  const lower = names.map((name) => name.toLowerCase())
  const positions = table.columns.map(({ column }) => lower.indexOf(column))
  return {
    returning: undefined,
    changes(parameters) {
      const found: SealedChange[] = []
      for (let start = 0; start < parameters.length; start += names.length) {
        const values = positions.map((position) => (position < 0 ? null : parameters[start + position]))
        if (!table.followsFromAnother(values)) found.push({ table, values })
      }
      return found
    },
  }
}

function ofReturnedRows(node: ChangeNode, table: SealedTable): Sealing {
  if (node.returning || node.output || node.top || (node.endModifiers ?? []).length > 0)
    throw cannotSeal(table, 'a statement with a RETURNING clause or modifiers of its own')
  return {
    returning: { ...node, returning: ReturningNode.create(selectionOf(node, table)) },
    changes: (_, rows) =>
      rows
        .map((row): SealedChange => {
          const values = table.valuesOf(row)
          return node.kind === 'DeleteQueryNode' ? { table, values, removed: true } : { table, values }
        })
        .filter(({ values }) => node.kind !== 'InsertQueryNode' || !table.followsFromAnother(values)),
  }
}

/**
 * Sealed columns of the changed table. They are qualified if the statement uses other tables, which may
 * have columns of the same name.
 */
function selectionOf(node: ChangeNode, { columns, table }: SealedTable): SelectionNode[] {
  const named = isAlone(node) ? undefined : TableNode.create(aliasIn(node) ?? table)
  return columns.map(({ column }) =>
    SelectionNode.create(ReferenceNode.create(ColumnNode.create(column), named)),
  )
}

function isAlone(node: ChangeNode): boolean {
  switch (node.kind) {
    case 'InsertQueryNode':
      return true
    case 'UpdateQueryNode':
      return !node.from && !node.joins
    case 'DeleteQueryNode':
      return !node.using && !node.joins
  }
}

function aliasIn(node: UpdateQueryNode | DeleteQueryNode | InsertQueryNode): string | undefined {
  const target = node.kind === 'DeleteQueryNode' ? node.from.froms[0] : undefined
  const named = node.kind === 'UpdateQueryNode' ? node.table : target
  if (!named || !AliasNode.is(named)) return undefined
  return 'name' in named.alias && typeof named.alias.name === 'string' ? named.alias.name : undefined
}

function cannotSeal({ table }: SealedTable, what: string): Error {
  return new Error(`Rows of ${table} are sealed, and cannot be changed by ${what}`)
}
