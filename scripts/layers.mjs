/**
 * The layer check: dependency-cruiser with the rules of .dependency-cruiser.cjs, each violation told with the
 * file and line of the import, and what the rule asks for.
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
for (const violation of violations) {
  const { from, to, rule, cycle } = violation
  const comment = options.ruleSet.forbidden.find(({ name }) => name === rule.name)?.comment
  const target = cycle ? cycle[0].name : to
  const way = cycle ? [from, ...cycle.map((step) => step.name)].join(' → ') : `${from} → ${to}`
  process.stdout.write(`${from}:${await lineOf(from, target)}  ${rule.name}\n    ${way}\n`)
  if (comment) process.stdout.write(`    ${comment}\n`)
}
process.stdout.write(`layers: ${summary.totalCruised} files, ${violations.length} forbidden imports\n`)
process.exitCode = violations.length > 0 ? 1 : 0

/** The line on which a file imports a target, as it was written there. */
async function lineOf(from, target) {
  const written = modules
    .find((module) => module.source === from)
    ?.dependencies.find((dependency) => dependency.resolved === target)?.module
  const lines = (await readFile(from, 'utf8')).split('\n')
  const index = lines.findIndex((line) => written && line.includes(written) && /\b(from|import)\b/.test(line))
  return index + 1
}
