/**
 * `npm run long -- gates [--share 1] [--only crash] [--report docs/gates.md]`
 *
 * Runs the gates of a release one after another, and writes a report. Results are stored by commit in `.payctl/gates`,
 * so a stopped run continues with the next step. Exits 1 if a step fails.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type GateResult, gateReport } from './gates/gate-report.js'
import { gateSteps } from './gates/gate-steps.js'
import { tell } from './temporary-place.js'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    only: { type: 'string' },
    report: { type: 'string', default: 'docs/gates.md' },
  },
})

const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
const folder = join('.payctl', 'gates', commit)
const resultsFile = join(folder, 'results.json')
mkdirSync(folder, { recursive: true })

const all = gateSteps(Number(values.share))
const results = new Map(kept().map((result) => [result.words, result]))
for (const [index, { gate, words }] of all.entries()) {
  const named = words.join(' ')
  if ((values.only !== undefined && gate !== values.only) || results.get(named)?.exitCode === 0) continue
  const result = await run(words, join(folder, `${index + 1}-${gate}.log`))
  results.set(named, result)
  writeFileSync(resultsFile, JSON.stringify([...results.values()], null, 2))
  tell(
    `${named}: ${result.exitCode === 0 ? 'passed' : 'FAILED'} in ${Math.round(result.seconds)} s; ${result.said}`,
  )
}
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`
writeFileSync(values.report, gateReport(commit, machine, all, results))
if ([...results.values()].some(({ exitCode }) => exitCode !== 0)) process.exitCode = 1

function kept(): readonly GateResult[] {
  try {
    return JSON.parse(readFileSync(resultsFile, 'utf8'))
  } catch {
    return []
  }
}

/** Runs a step; its output goes to the file `log`. */
async function run(words: readonly string[], log: string): Promise<GateResult> {
  const begun = performance.now()
  const child = spawn('npm', ['run', '--silent', 'long', '--', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const exitCode = await new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  const output = Buffer.concat(chunks).toString('utf8')
  writeFileSync(log, output)
  return {
    words: words.join(' '),
    exitCode,
    seconds: (performance.now() - begun) / 1_000,
    said: output.trim().split('\n').at(-1) ?? '',
  }
}
