import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Folders whose comments, titles of tests and `doc:` texts are checked. */
const FOLDERS = ['src', 'bench', 'scripts', 'simulation', 'examples', 'test']
const TITLES = new Set(['describe', 'it'])

/**
 * All passages of prose in the source: comments, `doc:` texts and summaries of declarations, and titles of tests. Each
 * has a kind, a file, a line, and its text in one line.
 */
export function passagesOf(root) {
  return FOLDERS.flatMap((folder) => filesIn(join(root, folder)))
    .filter((file) => /\.(m?[jt]s|tsx)$/.test(file))
    .flatMap((file) => passagesIn(file, file.slice(root.length + 1)))
}

/** Sentences of the documentation, without code, tables and headings. */
export function pagesOf(root) {
  const pages = ['README.md', ...filesIn(join(root, 'docs')).map((file) => file.slice(root.length + 1))]
  return pages
    .filter((page) => page.endsWith('.md') && !page.startsWith('docs/reference'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```/gms, (block) =>
        block.replace(/[^\n]/g, ''),
      )
      const found = []
      let line = 1
      for (const block of text.split('\n\n')) {
        const isProse = /^[A-Z*`-]/.test(block.trim()) && !/^\s*[|#<]/.test(block)
        if (isProse)
          for (const item of block.split(/^- /m))
            for (const sentence of sentencesOf(item)) found.push({ kind: 'page', file, line, text: sentence })
        line += block.split('\n').length + 1
      }
      return found
    })
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function passagesIn(path, file) {
  const text = readFileSync(path, 'utf8')
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const declared = file.startsWith('test/') ? titleOf : docOf
  const found = new Map()
  const visit = (node) => {
    for (const passage of [...commentsOf(node, text), ...declared(node, source)])
      found.set(passage.position, passage)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found.values()].map(({ kind, position, said }) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1
    return { kind, file, line, text: said.replace(/\s+/g, ' ').trim() }
  })
}

/** Comments before and after a node. Licences and directives for tools are omitted. */
function commentsOf(node, text) {
  const ranges = [
    ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
  ]
  return ranges
    .map(({ pos, end }) => ({ position: pos, raw: text.slice(pos, end) }))
    .filter(({ raw }) => !/^(\/\*!|\/\/\s*(biome-ignore|@ts-))/.test(raw))
    .map(({ position, raw }) => ({
      kind: raw.startsWith('/**') ? 'docstring' : 'comment',
      position,
      said: wordsOfComment(raw),
    }))
}

/** The title of a test or of a group of tests. */
function titleOf(node, source) {
  if (!ts.isCallExpression(node) || !isTitled(node)) return []
  const [title] = node.arguments
  if (!title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return []
  return [{ kind: 'title', position: title.getStart(source), said: title.getText(source).slice(1, -1) }]
}

/** A `doc:` or `summary:` text of a declaration, which the reference and the help show. */
function docOf(node, source) {
  if (!ts.isPropertyAssignment(node) || !/^(doc|summary)$/.test(node.name.getText(source))) return []
  if (!ts.isStringLiteralLike(node.initializer)) return []
  return [{ kind: 'doc', position: node.getStart(source), said: node.initializer.text }]
}

function isTitled({ expression }) {
  return ts.isIdentifier(expression) && TITLES.has(expression.text)
}

function wordsOfComment(raw) {
  return raw
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\*|\/\/) ?/, ''))
    .join('\n')
}

/** Sentences of a text. Code in backticks counts as one word. */
function sentencesOf(text) {
  return text
    .replace(/`[^`]*`/g, (code) => code.replace(/[.!?\s]/g, '·'))
    .replace(/\b(e\.g|i\.e|vs|No)\. /g, '$1· ')
    .split(/(?<=[.!?])\s+(?=[A-Z`"(])/)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
}

const MAX_WORDS = 25
const OPENING = /^(What|Who|Whoever|Where|How|Of|Without|The same)\b/
const CRUTCHES = /\b(told|tells of|asked|wanted|hears|mended|whoever|meanwhile)\b/i
const NOTHING = /\bnothing\b(?! was changed)/i

/** Rules that a passage violates, as texts. */
export function problemsOf({ kind, text }) {
  const plain = text.replace(/`[^`]*`|"[^"]*"/g, 'x')
  const long = sentencesOf(text).find((sentence) => sentence.split(' ').length > MAX_WORDS)
  return [
    ...(kind === 'docstring' && OPENING.test(plain) ? [`begins with ${OPENING.exec(plain)?.[0]}`] : []),
    ...(long ? [`has a sentence of ${long.split(' ').length} words`] : []),
    ...(CRUTCHES.test(plain) ? [`says ${CRUTCHES.exec(plain)?.[0]}`] : []),
    ...(NOTHING.test(plain) ? ['says nothing'] : []),
  ]
}
