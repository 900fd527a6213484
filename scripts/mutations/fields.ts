import ts from 'typescript'
import type { Edit } from './mutation.js'

/**
 * Edits that replace a field by another field of the same object and type, or a column by another column of the file's
 * queries.
 */
export function wrongFields(node: ts.Node, checker: ts.TypeChecker): Edit[] {
  if (ts.isPropertyAccessExpression(node)) {
    const owner = checker.getTypeAtLocation(node.expression)
    return edits(node.name, ofSameType(checker, owner, node.name.text))
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken)
    return wrongBindings(node, checker)
  return ts.isStringLiteral(node) && isColumn(node) ? edits(node, columnsBeside(node)) : []
}

function edits(node: ts.Node, names: readonly string[]): Edit[] {
  return names.map((replacement) => ({
    operator: 'field',
    start: node.getStart(),
    end: node.getEnd(),
    replacement,
  }))
}

function wrongBindings(node: ts.BindingElement, checker: ts.TypeChecker): Edit[] {
  const { name, propertyName, parent } = node
  const key = propertyName ?? name
  if (!ts.isIdentifier(key)) return []
  const others = ofSameType(checker, checker.getTypeAtLocation(parent), key.text)
  return edits(key, propertyName ? others : others.map((other) => `${other}: ${key.text}`))
}

function ofSameType(checker: ts.TypeChecker, owner: ts.Type, name: string): string[] {
  const own = owner.getProperty(name)
  if (!own || isFunction(checker.getTypeOfSymbol(own))) return []
  const type = checker.getTypeOfSymbol(own)
  return owner
    .getProperties()
    .filter((other) => other.name !== name && /^[a-z]\w*$/i.test(other.name))
    .filter((other) => checker.isTypeAssignableTo(checker.getTypeOfSymbol(other), type))
    .map((other) => other.name)
}

function isFunction(type: ts.Type): boolean {
  return type.getCallSignatures().length > 0
}

/** Methods of queries whose first argument is a column. */
const TAKES_COLUMN = new Set([
  'where',
  'whereRef',
  'select',
  'orderBy',
  'groupBy',
  'on',
  'onRef',
  'eb',
  'ref',
  'sum',
  'max',
  'min',
])

function isColumn(node: ts.StringLiteral): boolean {
  const { parent } = node
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node || !/^[a-z][\w.]*$/.test(node.text))
    return false
  const called = parent.expression
  return TAKES_COLUMN.has(ts.isPropertyAccessExpression(called) ? called.name.text : called.getText())
}

function columnsBeside(node: ts.StringLiteral): string[] {
  const found = new Set<string>()
  const visit = (other: ts.Node): void => {
    if (ts.isStringLiteral(other) && isColumn(other) && other.text !== node.text) found.add(`'${other.text}'`)
    ts.forEachChild(other, visit)
  }
  visit(node.getSourceFile())
  return [...found]
}
