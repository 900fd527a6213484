import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Folders whose comments, titles of tests and `doc:` texts are checked. */
const FOLDERS = ['src', 'bench', 'scripts', 'simulation', 'examples', 'test']
const TITLES = new Set(['describe', 'it'])

/**
 * All passages of prose in the source: comments, `doc:` texts and summaries of declarations, and titles of tests. Each
 * has a kind, a file, a line, and its text in one line. `beside` is what a reader sees with it: the code below a comment,
 * or the titles of the groups around a title.
 */
export function passagesOf(root) {
  return FOLDERS.flatMap((folder) => filesIn(join(root, folder)))
    .filter((file) => /\.(m?[jt]s|tsx)$/.test(file))
    .flatMap((file) => passagesIn(file, file.slice(root.length + 1)))
}

/** Sentences of the documentation, without code, tables and headings. Each is `beside` its heading and paragraph. */
export function pagesOf(root) {
  const pages = ['README.md', ...filesIn(join(root, 'docs')).map((file) => file.slice(root.length + 1))]
  return pages
    .filter((page) => page.endsWith('.md') && !page.startsWith('docs/reference'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```/gms, (block) =>
        block.replace(/[^\n]/g, ''),
      )
      return [...sentencesOn(text)].map((found) => ({ kind: 'page', file, ...found }))
    })
}

function* sentencesOn(page) {
  let line = 1
  let heading = ''
  for (const block of page.split('\n\n')) {
    heading = /^#+ (.*)$/m.exec(block)?.[1] ?? heading
    const isProse = /^[A-Z*`-]/.test(block.trim()) && !/^\s*[|#<]/.test(block)
    for (const item of isProse ? block.split(/^- /m) : []) {
      const beside = [heading, item.replace(/\s+/g, ' ').trim()]
      for (const text of sentencesOf(item)) yield { line, text, beside }
    }
    line += block.split('\n').length + 1
  }
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
  return [...found.values()].map(({ kind, position, said, beside }) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1
    return { kind, file, line, text: said.replace(/\s+/g, ' ').trim(), beside }
  })
}

/** Comments before and after a node. Licences and directives for tools are omitted. */
function commentsOf(node, text) {
  const ranges = [
    ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
    ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
  ]
  return joined(ranges, text)
    .map(({ pos, end }) => ({ position: pos, raw: text.slice(pos, end), after: text.slice(end, end + 300) }))
    .filter(({ raw }) => !/^(\/\*!|\/\/\s*(biome-ignore|@ts-))/.test(raw))
    .map(({ position, raw, after }) => ({
      kind: raw.startsWith('/**') ? 'docstring' : 'comment',
      position,
      said: wordsOfComment(raw),
      beside: after.trim().split('\n').slice(0, 3),
    }))
}

/** Ranges of comments; lines with `//` below each other are one comment. */
function joined(ranges, text) {
  const comments = []
  for (const { pos, end } of ranges) {
    const last = comments.at(-1)
    const isLine = text.startsWith('//', pos) && last !== undefined && text.startsWith('//', last.pos)
    if (isLine && /^\s*$/.test(text.slice(last.end, pos))) last.end = end
    else comments.push({ pos, end })
  }
  return comments
}

/** The title of a test or of a group of tests. */
function titleOf(node, source) {
  if (!ts.isCallExpression(node) || !isTitled(node)) return []
  const [title] = node.arguments
  if (!title || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return []
  const said = title.getText(source).slice(1, -1)
  return [{ kind: 'title', position: title.getStart(source), said, beside: groupsAround(node, source) }]
}

/** Titles of the groups in which a test stands, the outermost first. */
function groupsAround({ parent }, source) {
  if (!parent) return []
  const outer = groupsAround(parent, source)
  if (!ts.isCallExpression(parent) || !isTitled(parent)) return outer
  return [...outer, parent.arguments[0].getText(source).slice(1, -1)]
}

/** A `doc:` or `summary:` text of a declaration, which the reference and the help show. */
function docOf(node, source) {
  if (!ts.isPropertyAssignment(node) || !/^(doc|summary)$/.test(node.name.getText(source))) return []
  if (!ts.isStringLiteralLike(node.initializer)) return []
  const beside = [node.parent.getText(source).split('\n').slice(0, 3).join(' ')]
  return [{ kind: 'doc', position: node.getStart(source), said: node.initializer.text, beside }]
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
