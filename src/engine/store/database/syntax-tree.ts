import { AliasNode, type OperationNode, TableNode } from 'kysely'

/** The nodes of which a node is made. */
export function nodesIn(node: OperationNode): OperationNode[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode)
    return isNode(value) ? [value] : []
  })
}

/** The table that a node is, or gives another name; undefined where it is none. */
export function tableIn(node: OperationNode): TableNode | undefined {
  const named = AliasNode.is(node) ? node.node : node
  return TableNode.is(named) ? named : undefined
}

/** The name of a table without its schema, in lower case: SQLite does not distinguish cases. */
export function tableNameIn({ table }: TableNode): string {
  return table.identifier.name.toLowerCase()
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
