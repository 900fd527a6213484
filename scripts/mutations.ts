/**
 * `npm run long -- mutations [--size 200] [--seed 1] [--jobs 1] [--match TEXT] [--list]`
 *
 * Puts faults into a copy of the source, one at a time, and runs the tests that must detect them. Covers the source of
 * money, access and idempotency. `--match` runs only the faults whose line in the report contains a text; `--list` only
 * lists the faults. Exits 1 if more than 5 % are not detected and have no reason in `mutations/equivalent.ts`.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Bench, openBench, type Verdict } from './mutations/bench.js'
import { reasonFor } from './mutations/equivalent.js'
import type { Mutation } from './mutations/mutation.js'
import { openProject } from './mutations/program.js'
import { drawMutations } from './mutations/sample.js'
import { filesOf, TARGETS, type Target } from './mutations/targets.js'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    match: { type: 'string', multiple: true, default: [''] },
    list: { type: 'boolean', default: false },
  },
})

/** Allowed percentage of faults that no test detects and that have no reason. */
const ALLOWED = 5

interface Judged {
  readonly mutation: Mutation
  readonly verdict: Verdict
}

const root = process.cwd()
const specsOf = new Map(TARGETS.map((target) => [target, filesOf(root, target.specs)]))
const targetOf = new Map<string, Target>()
for (const target of TARGETS)
  for (const file of filesOf(root, target.sources)) if (!targetOf.has(file)) targetOf.set(file, target)

const size = Number(values.size)
const drawn = drawMutations(openProject(root), [...targetOf.keys()], { size, seed: values.seed }).filter(
  (mutation) => values.match.some((text) => shown(mutation).includes(text)),
)
if (values.list) for (const mutation of drawn) say(shown(mutation))
else report(await judgeAll(drawn))

async function judgeAll(mutations: readonly Mutation[]): Promise<Judged[]> {
  const benches = Array.from({ length: Number(values.jobs) }, () => openBench(root))
  try {
    const [first] = benches
    if (!first) throw new Error('--jobs must be at least 1')
    const limits = await limitsOf(first, mutations)
    const waiting = [...mutations]
    const judged: Judged[] = []
    const work = async (bench: Bench) => {
      for (let mutation = waiting.shift(); mutation; mutation = waiting.shift()) {
        const target = targetOf.get(mutation.file)
        const [limit, specs] = target ? [limits.get(target), specsOf.get(target)] : []
        if (!limit || !specs) throw new Error(`${mutation.file} has no tests`)
        const verdict = await bench.judge(specs, limit, mutation)
        judged.push({ mutation, verdict })
        say(`${judged.length}/${mutations.length} ${outcome({ mutation, verdict })}`)
      }
    }
    await Promise.all(benches.map(work))
    return judged
  } finally {
    for (const bench of benches) bench.remove()
  }
}

/**
 * Runs the tests without a fault first: failing tests would seem to detect every fault. Returns the time limit of a run
 * in milliseconds, by target.
 */
async function limitsOf(bench: Bench, mutations: readonly Mutation[]): Promise<Map<Target, number>> {
  const limits = new Map<Target, number>()
  const needed = new Set(mutations.map(({ file }) => targetOf.get(file)))
  for (const [target, specs] of specsOf) {
    if (!needed.has(target)) continue
    const { result, by, milliseconds } = await bench.judge(specs, 1_800_000)
    if (result !== 'passed') throw new Error(`The tests of ${target.name} fail without a fault: ${by}`)
    say(`${by} of ${target.name} pass without a fault in ${Math.round(milliseconds / 1000)} s`)
    limits.set(target, 10 * milliseconds + 120_000)
  }
  return limits
}

function shown({ file, line, operator, before, after }: Mutation): string {
  return `${file}:${line} ${operator}: ${before} → ${after}`
}

function outcome({ mutation, verdict }: Judged): string {
  const seconds = `${Math.round(verdict.milliseconds / 1000)} s`
  if (verdict.result !== 'passed')
    return `killed in ${seconds}: ${shown(mutation)} | ${verdict.by.slice(0, 160)}`
  const reason = reasonFor(mutation)
  return reason
    ? `explained: ${shown(mutation)} | ${reason}`
    : `SURVIVED after ${seconds}: ${shown(mutation)}`
}

function report(judged: readonly Judged[]): void {
  const survivors = judged.filter(({ verdict }) => verdict.result === 'passed')
  const unexplained = survivors.filter(({ mutation }) => reasonFor(mutation) === undefined)
  for (const survivor of survivors) say(outcome(survivor))
  const share = (count: number) => `${((100 * count) / Math.max(1, judged.length)).toFixed(1)} %`
  say(
    `${judged.length} faults with seed ${values.seed}: ${judged.length - survivors.length} killed, ` +
      `${survivors.length} survived (${share(survivors.length)}), ${unexplained.length} of them unexplained`,
  )
  process.exitCode = unexplained.length * 100 > judged.length * ALLOWED ? 1 : 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
