import { relative } from 'node:path'
import process from 'node:process'
import ts from 'typescript'

/** TypeScript's program for the whole tree: its files and its type checker. */
export function openProgram() {
  const root = process.cwd()
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(fileNames, options)
  const files = program
    .getSourceFiles()
    .map((source) => ({ source, file: relative(root, source.fileName) }))
    .filter(({ file }) => !file.startsWith('node_modules/') && !file.startsWith('..'))
  return { checker: program.getTypeChecker(), files }
}

/** All nodes below a node, parents first. */
export function* nodesOf(node) {
  yield node
  const children = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  for (const child of children) yield* nodesOf(child)
}

/** File, line and shortened text of a node, in one line. */
export function placeOf({ source, file }, node) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
  const text = node.getText(source).replaceAll(/\s+/g, ' ')
  return `${file}:${line + 1}  ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`
}
