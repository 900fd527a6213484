import ts from 'typescript'
import { nodesOf, placeOf } from './source.mjs'

/** Places where an object literal is spread into another object, although its properties could be written there. */
export function spreadObjects({ files }) {
  return placesOf(files, (node) => ts.isSpreadAssignment(node) && spreads(node, ts.isObjectLiteralExpression))
}

/** Places where a list literal is spread into another list or into arguments. */
export function spreadLists({ files }) {
  return placesOf(files, (node) => ts.isSpreadElement(node) && spreads(node, ts.isArrayLiteralExpression))
}

function placesOf(files, isCounted) {
  return files.flatMap((each) =>
    [...nodesOf(each.source)].filter(isCounted).map((node) => placeOf(each, node)),
  )
}

function spreads({ expression }, isLiteral) {
  return isLiteral(ts.skipOuterExpressions(expression))
}
