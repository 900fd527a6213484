import { AliasNode, type OperationNode, TableNode } from 'kysely'

/** Child nodes of a node. */
export function nodesIn(node: OperationNode): OperationNode[] {
  return Object.values(node).flatMap((value) => {
    if (Array.isArray(value)) return value.filter(isNode)
    return isNode(value) ? [value] : []
  })
}

/** Table that a node names, directly or with an alias; undefined if it names none. */
export function tableIn(node: OperationNode): TableNode | undefined {
  const named = AliasNode.is(node) ? node.node : node
  return TableNode.is(named) ? named : undefined
}

/** Name of a table without its schema, in lower case because SQLite ignores case. */
export function tableNameIn({ table }: TableNode): string {
  return table.identifier.name.toLowerCase()
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
