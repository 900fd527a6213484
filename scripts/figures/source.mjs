import { relative } from 'node:path'
import process from 'node:process'
import ts from 'typescript'

/** The program of the whole tree, with its type checker. */
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

/** Each node of a file, parents first. */
export function* nodesOf(node) {
  yield node
  const children = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  for (const child of children) yield* nodesOf(child)
}

/** File and line of a node, with its text as one short line. */
export function placeOf({ source, file }, node) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
  const text = node.getText(source).replaceAll(/\s+/g, ' ')
  return `${file}:${line + 1}  ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`
}
