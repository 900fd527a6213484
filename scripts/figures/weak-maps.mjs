import ts from 'typescript'
import { nodesOf, placeOf } from './source.mjs'

/** Folders whose types are declarations, or are compiled from one. */
const DECLARING = ['src/schema/', 'src/resources/', 'src/model/']
/** Types that are compiled from a declaration and live elsewhere. */
const COMPILED = ['Selection', 'ProjectionPlan', 'ResourceStatements']
/** Types of `src/schema` that follow from a declaration, but whose values are rows. */
const ROWS = ['RowOf', 'Rows']

/**
 * Places outside `src/model` that make a `WeakMap` with declarations, or objects compiled from one, as keys.
 */
export function weakMapsOfDeclarations({ checker, files }) {
  return files
    .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/model/'))
    .flatMap((each) =>
      [...nodesOf(each.source)]
        .filter((node) => isNewWeakMap(node) && isDeclaration(keyType(checker, node)))
        .map((node) => placeOf(each, node)),
    )
}

function isNewWeakMap(node) {
  return ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'WeakMap'
}

/**
 * The type of the keys. Without a type argument, it is that of the variable or property being initialized.
 */
function keyType(checker, node) {
  const written = node.typeArguments?.[0]
  if (written) return checker.getTypeFromTypeNode(written)
  const type = checker.getContextualType(node) ?? checker.getTypeAtLocation(node)
  return checker.getTypeArguments(type)[0]
}

function isDeclaration(type) {
  if (!type) return false
  if (type.isUnionOrIntersection()) return type.types.some((each) => isDeclaration(each))
  // A list or a record of declarations counts as one.
  const types = [type, type.getStringIndexType(), type.getNumberIndexType()].filter(Boolean)
  return types.map(({ aliasSymbol, symbol }) => aliasSymbol ?? symbol).some(isDeclared)
}

function isDeclared(symbol) {
  if (!symbol || ROWS.includes(symbol.name)) return false
  if (COMPILED.includes(symbol.name)) return true
  const files = (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName)
  return files.some((file) => DECLARING.some((folder) => file.includes(`/${folder}`)))
}
