/**
 * `npm run long -- gates [--share 1] [--only crash] [--at-once 2] [--report docs/gates.md]`
 *
 * Runs the gates of a release, and writes a report after each step. The results are kept in the repository, so a
 * stopped run continues with the next step, also on another machine. They count for the content of the folder `src`; the
 * first step after a change there drops them. With `--at-once`, several steps run at a time; those that measure times
 * run alone, at the end. Exits 1 if a step fails.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { gateReport } from './gates/gate-report.js'
import { type GateResult, keepResults, keptResults, sourceNow } from './gates/gate-results.js'
import { type GateStep, gateSteps } from './gates/gate-steps.js'
import { tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    report: { type: 'string', default: 'docs/gates.md' },
  },
})

const source = sourceNow()
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
const folder = join('.payctl', 'gates', source)
mkdirSync(folder, { recursive: true })

const all = gateSteps(Number(values.share))
const results = new Map(keptResults(source).map((result) => [result.words, result]))
const left = all.filter(
  ({ gate, words }) =>
    (values.only === undefined || gate === values.only) && results.get(words.join(' '))?.exitCode !== 0,
)
const [beside, alone] = [left.filter(({ isAlone }) => !isAlone), left.filter(({ isAlone }) => isAlone)]
await Promise.all(Array.from({ length: Number(values['at-once']) }, () => runAll(beside)))
await runAll(alone)
keep()
if ([...results.values()].some(({ exitCode }) => exitCode !== 0)) process.exitCode = 1

/** Stores the results, and the report about them. */
function keep(): void {
  keepResults({ source, results: [...results.values()] })
  writeFileSync(values.report, gateReport(source, all, results))
}

/** Takes steps from the list, one after another, and runs them. */
async function runAll(steps: GateStep[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) {
    const named = step.words.join(' ')
    const result = await run(step.words, join(folder, `${named.replace(/[^\w.]+/g, '-')}.log`))
    results.set(named, result)
    keep()
    const verdict = result.exitCode === 0 ? 'passed' : 'FAILED'
    tell(`${named}: ${verdict} in ${Math.round(result.seconds)} s; ${result.said}`)
  }
}

/** Runs a step; its output goes to the file `log`. The program was built before the first step. */
async function run(words: readonly string[], log: string): Promise<GateResult> {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', 'long', '--', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PAYCTL_LONG_BUILT: '1' },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const exitCode = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  const output = Buffer.concat(chunks).toString('utf8')
  writeFileSync(log, output)
  return {
    words: words.join(' '),
    machine,
    exitCode,
    seconds: (performance.now() - begun) / 1_000,
    said: output.trim().split('\n').at(-1) ?? '',
  }
}
