import ts from 'typescript'
import { nodesOf, placeOf } from './source.mjs'

/** Folders whose types are declarations, or are compiled from declarations. */
const DECLARING = ['src/schema/', 'src/resources/', 'src/model/']
/** Types outside these folders that are compiled from declarations. */
const COMPILED = ['Selection', 'ProjectionPlan', 'ResourceStatements']
/** Types of `src/schema` that do not count, because their values are rows or bodies, not declarations. */
const VALUES = ['RowOf', 'Rows', 'Json', 'JsonObject']

/**
 * Places outside `src/model` that create a `WeakMap` whose keys are declarations, or objects compiled from
 * declarations.
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

/** Type of a new map's keys: its type argument, or else the type of the variable or property that it initializes. */
function keyType(checker, node) {
  const written = node.typeArguments?.[0]
  if (written) return checker.getTypeFromTypeNode(written)
  const type = checker.getContextualType(node) ?? checker.getTypeAtLocation(node)
  return checker.getTypeArguments(type)[0]
}

function isDeclaration(type) {
  if (!type) return false
  if (type.isUnionOrIntersection()) return type.types.some((each) => isDeclaration(each))
  // A list or a record of declarations counts as a declaration.
  const types = [type, type.getStringIndexType(), type.getNumberIndexType()].filter(Boolean)
  return types.map(({ aliasSymbol, symbol }) => aliasSymbol ?? symbol).some(isDeclared)
}

function isDeclared(symbol) {
  if (!symbol || VALUES.includes(symbol.name)) return false
  if (COMPILED.includes(symbol.name)) return true
  const files = (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile().fileName)
  return files.some((file) => DECLARING.some((folder) => file.includes(`/${folder}`)))
}
