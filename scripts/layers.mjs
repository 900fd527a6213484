/**
 * The layer check: dependency-cruiser with the rules of .dependency-cruiser.cjs, and below each folder one way only:
 * of two neighbours (a sub-folder is one, the folder's own files together are another) only one imports the other.
 * Each violation comes with the file and line of the import. `-- --figures` prints the figures of the house as well.
 */
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs')
const tsConfig = extractTSConfig('tsconfig.json')
const { output } = await cruise(['src'], options, {}, { tsConfig })
const { modules, summary } = output

// A forbidden import often closes cycles too: the import comes first.
const violations = summary.violations.toSorted((a, b) => Number('cycle' in a) - Number('cycle' in b))
for (const { from, to, rule, cycle } of violations) {
  const comment = options.ruleSet.forbidden.find(({ name }) => name === rule.name)?.comment
  const target = cycle ? cycle[0].name : to
  const path = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`
  process.stdout.write(`${from}:${await lineOf(from, target)}  ${rule.name}\n    ${path}\n`)
  if (comment) process.stdout.write(`    ${comment}\n`)
}

const mutual = mutualNeighbours()
for (const { pair, imports } of mutual) {
  process.stdout.write(`${pair.join(' and ')} import each other\n`)
  for (const [from, to] of imports) process.stdout.write(`    ${from}:${await lineOf(from, to)}  → ${to}\n`)
}
process.stdout.write(
  `layers: ${summary.totalCruised} files, ${violations.length} forbidden imports, ${mutual.length} pairs of folders that import each other\n`,
)
if (process.argv.includes('--figures')) await printFigures()
process.exitCode = violations.length + mutual.length > 0 ? 1 : 0

/** Neighbours that import each other, each with the imports of the direction that has fewer. */
function mutualNeighbours() {
  const directions = new Map()
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      if (!source.startsWith('src/') || !resolved.startsWith('src/')) continue
      const [from, to] = neighbours(source, resolved)
      if (from === to) continue
      const key = `${from} ${to}`
      directions.set(key, [...(directions.get(key) ?? []), [source, resolved]])
    }
  }
  return [...directions].flatMap(([key, imports]) => {
    const [from, to] = key.split(' ')
    const back = directions.get(`${to} ${from}`)
    if (!back || from > to) return []
    return [{ pair: [from, to], imports: imports.length <= back.length ? imports : back }]
  })
}

/** Below their nearest common folder: the sub-folder that each file is in, or the folder itself for its own files. */
function neighbours(source, target) {
  const a = source.split('/')
  const b = target.split('/')
  let depth = 0
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++
  const neighbour = (parts) => parts.slice(0, parts.length - 1 === depth ? depth : depth + 1).join('/')
  return [neighbour(a), neighbour(b)]
}

async function printFigures() {
  const files = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'))
  const lengths = await Promise.all(
    files.map(async (file) => (await readFile(file, 'utf8')).split('\n').length - 1),
  )
  const sorted = lengths.toSorted((a, b) => a - b)
  const short = sorted.filter((length) => length < 25).length
  const entries = new Set(files.map((file) => file.split('/')[1]))
  const figures = {
    'entries below src/': entries.size,
    files: files.length,
    'median lines': sorted[Math.floor(sorted.length / 2)],
    'files under 25 lines': `${short} (${((100 * short) / files.length).toFixed(1)} %)`,
    'pairs of folders that import each other': mutual.length,
  }
  for (const [name, figure] of Object.entries(figures)) process.stdout.write(`${name}: ${figure}\n`)
}

/** The line on which a file imports a target, as it was written there. */
async function lineOf(from, target) {
  const written = modules
    .find((module) => module.source === from)
    ?.dependencies.find((dependency) => dependency.resolved === target)?.module
  const lines = (await readFile(from, 'utf8')).split('\n')
  const index = lines.findIndex((line) => written && line.includes(written) && /\b(from|import)\b/.test(line))
  return index + 1
}
