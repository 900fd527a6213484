import {
  type DeleteQueryNode,
  type InsertQueryNode,
  type OperationNode,
  RawNode,
  type RootOperationNode,
  TableNode,
  type UpdateQueryNode,
} from 'kysely'
import { type InsertedRows, insertedRows } from './inserted-rows.js'
import { useOf } from './raw-use.js'
import { type ReadById, readById } from './read-by-id.js'
import { nodesIn, tableIn, tableNameIn } from './syntax-tree.js'

/** Database use of a compiled query, found in Kysely's syntax tree. Table names are in lower case. */
export interface Statement {
  /** `raw` is hand-written SQL that declares its tables; the effect of `unknown` cannot be determined. */
  readonly verb: 'select' | 'insert' | 'update' | 'delete' | 'schema' | 'raw' | 'unknown'
  /**
   * Tables that the statement may read; `any` if the statement contains undeclared raw SQL or an unknown
   * function.
   */
  readonly reads: ReadonlySet<string> | 'any'
  /** Tables whose rows the statement or one of its parts changes. */
  readonly writes: ReadonlySet<string>
  /** Table that the statement itself changes, or reads by an id. */
  readonly table: string | undefined
  /** Rows that the statement inserts, if it is a plain insert. */
  readonly rows: InsertedRows | undefined
  /** Read of at most one row by its id; undefined for any other statement. */
  readonly byId: ReadById | undefined
  /** Locks that the statement takes on the rows that it reads. */
  readonly locks: 'none' | 'reference' | 'other'
  readonly node: RootOperationNode
}

/** Node of the syntax tree that changes rows of a table. */
export type ChangeNode = InsertQueryNode | UpdateQueryNode | DeleteQueryNode

/** Finds the database use of a syntax tree. Throws for an unknown kind of node. */
export function statementOf(node: RootOperationNode): Statement {
  const uses = new TableUses()
  const found = (verb: Statement['verb'], more: Partial<Statement> = {}): Statement => ({
    verb,
    reads: uses.isUnsure ? 'any' : uses.reads,
    writes: uses.writes,
    table: undefined,
    rows: undefined,
    byId: undefined,
    locks: uses.locks,
    node,
    ...more,
  })
  switch (node.kind) {
    case 'SelectQueryNode': {
      uses.add(node)
      const byId = readById(node)
      return uses.hidesStatement ? found('unknown') : found('select', { byId, table: byId?.table })
    }
    case 'InsertQueryNode':
    case 'UpdateQueryNode':
    case 'DeleteQueryNode': {
      uses.add(node)
      if (uses.hidesStatement) return found('unknown')
      const rows = node.kind === 'InsertQueryNode' ? insertedRows(node) : undefined
      return found(VERBS[node.kind], { table: changedTable(node), rows })
    }
    case 'RawNode': {
      uses.add(node)
      const use = useOf(node)
      if (!use) return found('unknown')
      return found(use.schema ? 'schema' : 'raw')
    }
    case 'MergeQueryNode':
      return found('unknown')
    default:
      return found('schema', { reads: 'any' })
  }
}

/** Whether a statement changes neither rows nor the schema. */
export function onlyReads({ verb, writes }: Statement): boolean {
  return (verb === 'select' || verb === 'raw') && writes.size === 0
}

const VERBS = {
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
} as const

/** Name of the table that a node changes. Throws unless it names exactly one. */
function changedTable(node: ChangeNode): string {
  const target = targetOf(node)
  const table = target && tableIn(target)
  if (!table) throw new Error('A statement that changes rows must name one table')
  return tableNameIn(table)
}

function targetOf(node: ChangeNode): OperationNode | undefined {
  switch (node.kind) {
    case 'InsertQueryNode':
      return node.into
    case 'UpdateQueryNode':
      return node.table
    case 'DeleteQueryNode': {
      const [only, ...others] = node.from.froms
      return others.length === 0 ? only : undefined
    }
  }
}

/** Collects the tables that the nodes of a tree use. */
class TableUses {
  readonly reads = new Set<string>()
  readonly writes = new Set<string>()
  locks: Statement['locks'] = 'none'
  /** Whether a part may read any table. */
  isUnsure = false
  /** Whether a part may be a separate statement, hidden in raw SQL. */
  hidesStatement = false

  add(node: OperationNode): void {
    if (!KNOWN_KINDS.has(node.kind))
      throw new Error(`A statement has a part of an unknown kind: ${node.kind}`)
    if (TableNode.is(node)) this.reads.add(tableNameIn(node))
    else if (RawNode.is(node)) this.addRaw(node)
    else if (isChange(node)) this.addWrite(changedTable(node))
    else if (isCall(node) && !KNOWN_FUNCTIONS.has(node.func.toLowerCase())) this.isUnsure = true
    else if (isModifier(node)) this.addModifier(node.modifier)
    else if (isNamedPart(node) && RawNode.is(node.expression) && !useOf(node.expression))
      this.hidesStatement = true
    // The table of a reference is already known as a table of the statement, or as its alias.
    if (node.kind === 'ReferenceNode' || node.kind === 'CommonTableExpressionNameNode') return
    const wasUnsure = this.isUnsure
    for (const part of nodesIn(node)) this.add(part)
    // Raw SQL inside SQL with a declared use is covered by that declaration.
    if (RawNode.is(node) && useOf(node)) this.isUnsure = wasUnsure
  }

  /** Throws for a second change of the same table, because only one of them would be sealed. */
  private addWrite(table: string): void {
    if (this.writes.has(table)) throw new Error(`A statement may change ${table} in one place only`)
    this.writes.add(table)
  }

  private addRaw(node: RawNode): void {
    const use = useOf(node)
    for (const table of use?.reads ?? []) this.reads.add(table)
    for (const table of use?.writes ?? []) this.addWrite(table)
    if (use?.locks) this.locks = 'other'
    if (!use && !isKyselysOwn(node)) this.isUnsure = true
  }

  private addModifier(modifier: string | undefined): void {
    if (modifier === 'Distinct') return
    if (modifier === 'ForKeyShare' && this.locks === 'none') this.locks = 'reference'
    else this.locks = 'other'
  }
}

/** Texts of raw nodes that Kysely makes itself: for references, values, lists and sort directions. */
const KYSELYS_OWN: ReadonlySet<string> = new Set(['', ', ', 'asc', 'desc'])

function isKyselysOwn({ sqlFragments }: RawNode): boolean {
  return sqlFragments.every((text) => KYSELYS_OWN.has(text))
}

function isChange(node: OperationNode): node is ChangeNode {
  return node.kind in VERBS
}

function isCall(node: OperationNode): node is OperationNode & { readonly func: string } {
  return node.kind === 'FunctionNode' || node.kind === 'AggregateFunctionNode'
}

function isModifier(node: OperationNode): node is OperationNode & { readonly modifier?: string } {
  return node.kind === 'SelectModifierNode'
}

function isNamedPart(node: OperationNode): node is OperationNode & { readonly expression: OperationNode } {
  return node.kind === 'CommonTableExpressionNode'
}

/** Functions without side effects that read only their arguments. */
const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set([
  'any',
  'avg',
  'coalesce',
  'count',
  'length',
  'lower',
  'max',
  'min',
  'row_number',
  'substr',
  'sum',
])

const KNOWN_KINDS: ReadonlySet<string> = new Set<OperationNode['kind']>([
  'AggregateFunctionNode',
  'AliasNode',
  'AndNode',
  'BinaryOperationNode',
  'CaseNode',
  'CastNode',
  'ColumnNode',
  'ColumnUpdateNode',
  'CommonTableExpressionNameNode',
  'CommonTableExpressionNode',
  'DefaultInsertValueNode',
  'DeleteQueryNode',
  'ExplainNode',
  'FromNode',
  'FunctionNode',
  'GroupByItemNode',
  'GroupByNode',
  'HavingNode',
  'IdentifierNode',
  'InsertQueryNode',
  'JSONOperatorChainNode',
  'JSONPathLegNode',
  'JSONPathNode',
  'JSONReferenceNode',
  'JoinNode',
  'LimitNode',
  'ListNode',
  'OffsetNode',
  'OnConflictNode',
  'OnNode',
  'OperatorNode',
  'OrActionNode',
  'OrNode',
  'OrderByItemNode',
  'OrderByNode',
  'OverNode',
  'ParensNode',
  'PartitionByItemNode',
  'PartitionByNode',
  'PrimitiveValueListNode',
  'RawNode',
  'ReferenceNode',
  'ReturningNode',
  'SchemableIdentifierNode',
  'SelectAllNode',
  'SelectModifierNode',
  'SelectQueryNode',
  'SelectionNode',
  'SetOperationNode',
  'TableNode',
  'TupleNode',
  'UnaryOperationNode',
  'UpdateQueryNode',
  'UsingNode',
  'ValueListNode',
  'ValueNode',
  'ValuesNode',
  'WhenNode',
  'WhereNode',
  'WithNode',
])
