import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  SelectAllNode,
  SelectModifierNode,
  type SelectQueryNode,
  TableNode,
  ValueNode,
  WhereNode,
} from 'kysely'
import { tableNameIn } from './syntax-tree.js'

/** Read of one row in one table by an id, which is the first parameter. */
export interface ReadById {
  readonly table: string
  /** Whether all columns are read. */
  readonly isWhole: boolean
  readonly node: SelectQueryNode
}

/** Read by id, if the query consists of such a read; undefined for any other query. */
export function readById(node: SelectQueryNode): ReadById | undefined {
  const { kind: _, from, selections = [], where, endModifiers: __, ...others } = node
  if (Object.values(others).some((part) => part !== undefined)) return undefined
  const [only, ...more] = from?.froms ?? []
  if (!only || more.length > 0 || !TableNode.is(only) || !where) return undefined
  const columns = selections.map(({ selection }) => selection)
  const isWhole = columns.length === 1 && columns.every((column) => SelectAllNode.is(column))
  const arePlain = columns.every((column) => ReferenceNode.is(column) || SelectAllNode.is(column))
  const [first, ...rest] = conditionsIn(where.where)
  if (!arePlain || !first || !isId(first) || !rest.every((each) => isPlain(each))) return undefined
  return { table: tableNameIn(only), isWhole, node }
}

/**
 * Variant of the read for a list of ids, which is the first parameter. Rows locked by others are skipped if
 * the read locks rows.
 */
export function readByIds({ node }: ReadById): SelectQueryNode {
  const { where, endModifiers, ...others } = node
  if (!where) throw new Error('A read by an id has a condition')
  const [, ...rest] = conditionsIn(where.where)
  const id = ReferenceNode.create(ColumnNode.create('id'))
  const ids = FunctionNode.create('any', [ValueNode.create(null)])
  const isAny: OperationNode = BinaryOperationNode.create(id, OperatorNode.create('='), ids)
  return {
    ...others,
    where: WhereNode.create(rest.reduce((all, each) => AndNode.create(all, each), isAny)),
    ...(endModifiers && { endModifiers: [...endModifiers, SelectModifierNode.create('SkipLocked')] }),
  }
}

/** Conditions that are joined by `and`, in their order. */
function conditionsIn(node: OperationNode): OperationNode[] {
  return AndNode.is(node) ? [...conditionsIn(node.left), ...conditionsIn(node.right)] : [node]
}

function isId(node: OperationNode): boolean {
  return columnOf(node) === 'id' && isPlain(node) && !isNull(node)
}

/** Whether a condition only compares a column with a value or checks for null. */
function isPlain(node: OperationNode): boolean {
  if (columnOf(node) === undefined || !BinaryOperationNode.is(node)) return false
  const { operator, rightOperand: value } = node
  const isEqual = OperatorNode.is(operator) && operator.operator === '='
  return isNull(node) || (isEqual && ValueNode.is(value) && value.immediate !== true)
}

function isNull(node: OperationNode): boolean {
  if (!BinaryOperationNode.is(node)) return false
  const { operator, rightOperand: value } = node
  return (
    OperatorNode.is(operator) && operator.operator === 'is' && ValueNode.is(value) && value.value === null
  )
}

function columnOf(node: OperationNode): string | undefined {
  if (!BinaryOperationNode.is(node) || !ReferenceNode.is(node.leftOperand)) return undefined
  const { column, table } = node.leftOperand
  return !table && ColumnNode.is(column) ? column.column.name : undefined
}
