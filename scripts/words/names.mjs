import { relative, resolve } from 'node:path'
import ts from 'typescript'

/** Words that names may not contain, with their replacements. An entry may have two words, separated by a blank. */
const REPLACED = {
  door: 'adapter',
  doors: 'adapters',
  means: 'dependencies, options',
  keeper: 'idempotency store',
  'keep open': 'savePending',
  consult: 'read',
  transact: 'write',
  chore: 'job',
  chores: 'jobs',
  doing: 'job, scheduler, runner',
  'do due': 'runDueJobs',
  turns: 'scheduler, ticks',
  outstanding: 'afterCommit',
  defer: 'afterCommit',
  deferred: 'afterCommit',
  'open operation': 'pendingOperation',
  'carry out': 'persist',
  told: 'progress, listener',
  tell: 'progress, listener',
  tells: 'progress, listener',
  hear: 'on…, listener',
  hears: 'on…, listener',
  heard: 'on…, listener',
  audience: 'listener',
  tally: 'counter, summary',
  mirrored: 'contra entry',
  'take back': 'clawback',
  moving: 'nonzero',
  'put off': 'postpone',
  lone: 'feeOnly',
  papers: 'requirements',
  'own transaction': 'systemTransaction',
  within: 'parent, ownership',
  belongs: 'ownership',
  'hangs on': 'isRelated, parent',
  mend: 'fix',
  mended: 'fixed',
  pauses: 'backoff',
  wish: 'retryAfter',
  asking: 'context',
  seeing: 'context',
  showing: 'context',
  around: 'context',
  movement: 'money action',
  story: 'history',
  asked: 'requested…, given, input',
  wanted: 'requested…, given, input',
  upkeep: 'backup, restore',
  'waiting rows': 'InsertBuffer',
  'work group': 'SharedTransaction',
  'ask together': 'batchReads',
  'live desk': 'ConfirmationContext',
  happening: 'bank event',
  'hand out': 'assignDeliveries',
  'hands out': 'assignDeliveries',
  'handed out': 'assigned',
  'give back': 'reversePartialApproval',
  'late change': 'gatewaySideChange',
}

/** Whole names that are not allowed, although their words are, with their replacements. */
const REPLACED_NAMES = {
  ReadLine: 'SharedSnapshot',
  KnownRows: 'TransactionRowCache',
  Moment: 'RenderContext',
}

/** Words that are not allowed in names of constants, but are allowed in other names. */
const REPLACED_IN_CONSTANTS = {
  lot: 'BATCH_SIZE',
  portion: 'BATCH_SIZE',
  many: 'MAX_…, MIN_…',
  few: 'MAX_…, MIN_…',
  most: 'MAX_…',
  least: 'MIN_…',
}

/** Programs in `src`. Each has names of its own, as the code of browsers does not run with the other. */
const PROGRAMS = ['.', 'src/http/browser']

/** Names in `src` of a project that must change: file, line, and a message with the replacement. */
export function namesToChange(root) {
  return PROGRAMS.flatMap((folder) => {
    const sources = programOf(resolve(root, folder))
      .getSourceFiles()
      .map((source) => ({ source, file: relative(root, source.fileName) }))
      .filter(({ file }) => file.startsWith('src/'))
    return [...replacedWords(sources), ...namesExportedTwice(sources)]
  })
}

function programOf(folder) {
  const { config } = ts.readConfigFile(resolve(folder, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  return ts.createProgram(fileNames, { ...options, noResolve: true, types: [] })
}

function* replacedWords(sources) {
  for (const { source, file } of sources) {
    for (const part of file.replace(/\.ts$/, '').split('/').slice(1)) {
      const message = problemOf(part)
      if (message) yield { file, line: 1, message: `file ${message}` }
    }
    for (const name of declaredNames(source)) {
      const message = problemOf(name.text)
      if (message) yield { file, line: lineOf(source, name), message }
    }
  }
}

/** Words of a name in lower case. `putOff`, `put-off`, `PUT_OFF` and `put_off` have the same words. */
function wordsOf(name) {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .map((word) => word.toLowerCase())
}

function problemOf(name) {
  if (Object.hasOwn(REPLACED_NAMES, name)) return `${name}: say ${REPLACED_NAMES[name]}`
  const words = ` ${wordsOf(name).join(' ')} `
  const isConstant = /^[A-Z][A-Z\d_]*$/.test(name)
  const replaced = isConstant ? { ...REPLACED, ...REPLACED_IN_CONSTANTS } : REPLACED
  for (const [word, instead] of Object.entries(replaced))
    if (words.includes(` ${word} `)) return `${name}: say ${instead}`
  return undefined
}

function* declaredNames(node) {
  const { name } = node
  if (
    name &&
    isDeclaration(node) &&
    (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isPrivateIdentifier(name))
  )
    yield name
  for (const child of childrenOf(node)) yield* declaredNames(child)
}

function isDeclaration(node) {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isGetAccessor(node)
  )
}

function childrenOf(node) {
  const children = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  return children
}

/** Places of names that several files export. Overloads of a function count once. */
function* namesExportedTwice(sources) {
  const places = new Map()
  for (const { source, file } of sources) {
    const seen = new Set()
    for (const name of source.statements.flatMap(exportedNames)) {
      if (seen.has(name.text)) continue
      seen.add(name.text)
      places.set(name.text, [...(places.get(name.text) ?? []), { file, line: lineOf(source, name) }])
    }
  }
  for (const [name, all] of places) {
    if (all.length < 2) continue
    for (const { file, line } of all) {
      const others = all.filter((other) => other.file !== file).map((other) => other.file)
      yield { file, line, message: `${name}: is exported by ${others.join(', ')} too` }
    }
  }
}

function exportedNames(statement) {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  const kinds = modifiers.map(({ kind }) => kind)
  if (!kinds.includes(ts.SyntaxKind.ExportKeyword) || kinds.includes(ts.SyntaxKind.DefaultKeyword)) return []
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name] : []
  return statement.declarationList.declarations.map(({ name }) => name).filter(ts.isIdentifier)
}

function lineOf(source, node) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
}
