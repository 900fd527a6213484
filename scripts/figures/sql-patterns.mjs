import { basename } from 'node:path'
import ts from 'typescript'
import { nodesOf, placeOf } from './source.mjs'

/**
 * Files of the store whose regular expressions match other texts than SQL, with the kind of text. In all other files of
 * the store, every regular expression is counted.
 */
const NO_SQL = {
  'copy.ts': 'error codes',
  'postgres-errors.ts': 'error codes and messages',
  'sqlite-errors.ts': 'error codes',
  'pool.ts': 'a URL',
  'key-file.ts': 'file names',
  'keyring.ts': 'hashes',
  'head-file.ts': 'lines of the head file',
  'sealed-table.ts': 'values that are sealed',
  'differences.ts': 'text to search for and paths into JSON',
  'schema-problems.ts': 'descriptions of a schema',
}
/** Regular expressions that match other texts than SQL, by file. Other expressions of these files are counted. */
const NO_SQL_PATTERNS = {
  'described-schema.ts': [String.raw`/^reference (\w+)\.(\w+) to (\w+)$/`, String.raw`/^\w+ migrations\b/`],
}
const STORE = 'src/engine/store/'
/** Words of SQL. A regular expression with such a word is counted in any file. */
const SQL = /\b(?:select|insert into|delete from|update|on conflict|returning|alter table|for share)[ \\"]/i

/** Places of regular expressions that match SQL text. */
export function patternsOverSql({ files }) {
  return files
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap((each) =>
      [...nodesOf(each.source)]
        .filter((node) => isPattern(node) && isOverSql(each, node))
        .map((node) => placeOf(each, node)),
    )
}

function isPattern(node) {
  if (ts.isRegularExpressionLiteral(node)) return true
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false
  return ts.isIdentifier(node.expression) && node.expression.text === 'RegExp'
}

function isOverSql({ source, file }, node) {
  const pattern = node.getText(source)
  if (!file.startsWith(STORE)) return SQL.test(pattern)
  const name = basename(file)
  return !Object.hasOwn(NO_SQL, name) && !NO_SQL_PATTERNS[name]?.includes(pattern)
}
