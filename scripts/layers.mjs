/**
 * `npm run layers`: checks imports with dependency-cruiser and the rules of .dependency-cruiser.cjs. Also checks that
 * imports between two neighbours in a folder go in one direction only. A neighbour is a sub-folder, or all files
 * directly in the folder. Prints the file and line of each violation. With `-- --figures`, prints the figures and fails
 * if one exceeds its maximum; with `--places`, also lists what they count.
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

// Forbidden imports are printed before cycles, because forbidden imports often cause cycles.
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
const exceeded = process.argv.includes('--figures') ? await printFigures() : 0
process.exitCode = violations.length + mutual.length + exceeded > 0 ? 1 : 0

/** Pairs of neighbours that import each other, each with the imports in the rarer direction. */
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

/** The two neighbours that an import connects, below the nearest common folder of both files. */
function neighbours(source, target) {
  const a = source.split('/')
  const b = target.split('/')
  let depth = 0
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth++
  const neighbour = (parts) => parts.slice(0, parts.length - 1 === depth ? depth : depth + 1).join('/')
  return [neighbour(a), neighbour(b)]
}

/** Prints all figures; with `--places`, also the counted places. Returns the number of figures above their maximum. */
async function printFigures() {
  const { figuresOf } = await import('./figures/figures.mjs')
  const files = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'))
  const figures = await figuresOf(files)
  for (const { name, value, bound, places = [] } of figures) {
    const isAbove = bound !== undefined && value > bound
    process.stdout.write(`${name}: ${value}${isAbove ? ` (at most ${bound})` : ''}\n`)
    if (isAbove || process.argv.includes('--places'))
      for (const place of places) process.stdout.write(`    ${place}\n`)
  }
  return figures.filter(({ value, bound }) => bound !== undefined && value > bound).length
}

/** Number of the line on which a file imports a target. */
async function lineOf(from, target) {
  const written = modules
    .find((module) => module.source === from)
    ?.dependencies.find((dependency) => dependency.resolved === target)?.module
  const lines = (await readFile(from, 'utf8')).split('\n')
  const index = lines.findIndex((line) => written && line.includes(written) && /\b(from|import)\b/.test(line))
  return index + 1
}
