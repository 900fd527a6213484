import ts from 'typescript'
import { wrongFields } from './fields.js'
import type { Edit, Operator } from './mutation.js'

/** Returns the edits that one operator can make at a node. */
type Finder = (node: ts.Node, checker: ts.TypeChecker) => Edit[]

const FINDERS: readonly Finder[] = [
  besideNumber,
  besideSum,
  negatedCondition,
  droppedCall,
  swappedBinary,
  swappedUnary,
  swappedInQuery,
  swappedInSql,
  wrongFields,
]

/** All possible edits of a file, in the order of its nodes. */
export function editsOf(source: ts.SourceFile, checker: ts.TypeChecker): Edit[] {
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    for (const find of FINDERS) edits.push(...find(node, checker))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
}

function edit(operator: Operator, node: ts.Node, replacement: string): Edit {
  return { operator, start: node.getStart(), end: node.getEnd(), replacement }
}

/** Names of constants that affect only speed, such as the number of rows that are read at once. */
const SPEED = /^(BATCH|CHUNK|LOT|PAGE|PORTION)|_(BATCH|CHUNK|PAGE|PORTION|SIZE)$|^limit$/

function besideNumber(node: ts.Node): Edit[] {
  if (!ts.isNumericLiteral(node) || isSpeed(node)) return []
  const value = Number(node.text)
  return [value + 1, value - 1].map((other) => edit('number', node, other < 0 ? `(${other})` : String(other)))
}

function isSpeed({ parent }: ts.NumericLiteral): boolean {
  if (ts.isVariableDeclaration(parent)) return SPEED.test(parent.name.getText())
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    SPEED.test(parent.expression.name.text)
  )
}

function besideSum(node: ts.Node, checker: ts.TypeChecker): Edit[] {
  if (!isSum(node, checker)) return []
  return [`(${node.getText()} + 1)`, `(${node.getText()} - 1)`].map((text) => edit('number', node, text))
}

function negatedCondition(node: ts.Node): Edit[] {
  const condition = conditionOf(node)
  if (!condition) return []
  const isNot = ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken
  const text = isNot ? condition.operand.getText() : `!(${condition.getText()})`
  return [edit('branch', condition, text)]
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression
  return ts.isConditionalExpression(node) ? node.condition : undefined
}

/** Edit that removes a call whose result is not used. */
function droppedCall(node: ts.Node): Edit[] {
  if (!ts.isExpressionStatement(node)) return []
  const { expression } = node
  const called = ts.isAwaitExpression(expression) ? expression.expression : expression
  return ts.isCallExpression(called) ? [edit('call', node, ';')] : []
}

const SWAPPED: Readonly<Record<string, readonly [Operator, string]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '+': ['sign', '-'],
  '-': ['sign', '+'],
  '+=': ['sign', '-='],
  '-=': ['sign', '+='],
  '++': ['sign', '--'],
  '--': ['sign', '++'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
}

function swappedBinary(node: ts.Node, checker: ts.TypeChecker): Edit[] {
  if (!ts.isBinaryExpression(node)) return []
  const [operator, other] = SWAPPED[ts.tokenToString(node.operatorToken.kind) ?? ''] ?? []
  if (!operator || !other || (operator === 'sign' && !hasNumbers(node, checker))) return []
  return [edit(operator, node.operatorToken, other)]
}

function isSum(node: ts.Node, checker: ts.TypeChecker): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  const adds = kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.MinusToken
  return adds && hasNumbers(node, checker)
}

function hasNumbers({ left, right }: ts.BinaryExpression, checker: ts.TypeChecker): boolean {
  return [left, right].every((side) => checker.getTypeAtLocation(side).flags & ts.TypeFlags.NumberLike)
}

function swappedUnary(node: ts.Node): Edit[] {
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return []
  const token = ts.tokenToString(node.operator) ?? ''
  if (token === '-') return [edit('sign', node, node.operand.getText())]
  const [operator, other] = SWAPPED[token] ?? []
  return operator && other ? [edit(operator, node, node.getText().replace(token, other))] : []
}

/** Methods that combine conditions of a query. */
const COMBINED: Readonly<Record<string, string>> = { and: 'or', or: 'and' }

/** Edits of conditions in queries, such as `where('due_at', '<=', now)` and `eb.or([…])`. */
function swappedInQuery(node: ts.Node): Edit[] {
  if (ts.isStringLiteral(node) && ts.isCallExpression(node.parent)) {
    const [operator, other] = SWAPPED[node.text] ?? []
    return operator && other ? [edit(operator, node, `'${other}'`)] : []
  }
  if (!ts.isPropertyAccessExpression(node) || !ts.isCallExpression(node.parent)) return []
  const other = COMBINED[node.name.text]
  return other ? [edit('logic', node.name, other)] : []
}

function swappedInSql(node: ts.Node): Edit[] {
  if (!ts.isTaggedTemplateExpression(node)) return []
  const { template } = node
  return [...template.getText().matchAll(/(?<= )(?:<=|>=|<|>|\+|-)(?= )/g)].flatMap(({ 0: token, index }) => {
    const [operator, other] = SWAPPED[token] ?? []
    const start = template.getStart() + index
    return operator && other ? [{ operator, start, end: start + token.length, replacement: other }] : []
  })
}
