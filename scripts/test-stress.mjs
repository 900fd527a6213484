/**
 * `npm run test:stress -- [--times 20] FILE …`: runs each file several times beside four busy loops. This finds tests
 * that depend on how fast something is. `--list` takes the files that start a process or a service. Those that failed in CI
 * before, or were changed `--since REF`, run twenty times, the others five times. Goes on where it was stopped, as long
 * as a file is unchanged; `--anew` begins again.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'

const LOOPS = 4
const OFTEN = 20
const SELDOM = 5
const FOLDER = 'node_modules/.cache'
const PASSED = `${FOLDER}/stress.json`
/** Files that failed in CI by a race of their own. */
const FAILED_ONCE = ['test/domain/gateways/circuits.test.ts']
/** Names of what starts processes and services in tests. */
const STARTS =
  /\b(httpService|startServer|payctl|payctlMany|start|Terminal|openBrowser|consoleWorld|componentWorld|railWorld|spawn)\(/

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: String(OFTEN) },
    list: { type: 'boolean', default: false },
    since: { type: 'string', default: 'HEAD' },
    anew: { type: 'boolean', default: false },
  },
})

const planned = values.list
  ? listed(values.since)
  : positionals.map((file) => ({ file, times: Number(values.times) }))
if (planned.length === 0) {
  process.stderr.write('Name files, or --list\n')
  process.exit(2)
}

const passed = values.anew ? {} : passedBefore()
const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['--eval', 'for (;;);']))
let failures = 0
try {
  for (const { file, times } of planned) failures += stressed(file, times) ? 0 : 1
} finally {
  for (const loop of loops) loop.kill()
}
process.stdout.write(`${planned.length - failures} files passed, ${failures} failed\n`)
process.exitCode = failures > 0 ? 1 : 0

/** Runs a file until it has passed this often; stops at the first failure. */
function stressed(file, times) {
  const version = createHash('sha256').update(readFileSync(file)).digest('hex')
  const before = passed[file]?.version === version ? passed[file].times : 0
  for (let count = before; count < times; count++) {
    // On every database: the configuration would leave out what `npm run test:rest` runs.
    const words = ['node_modules/mocha/bin/mocha.js', '--grep', '.', file]
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (status !== 0) {
      process.stdout.write(`${file} failed after ${count} runs that passed:\n${stdout}\n`)
      return false
    }
    passed[file] = { version, times: count + 1 }
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(PASSED, JSON.stringify(passed))
  }
  process.stdout.write(`${file} passed ${Math.max(before, times)} times\n`)
  return true
}

function passedBefore() {
  try {
    return JSON.parse(readFileSync(PASSED, 'utf8'))
  } catch {
    return {}
  }
}

function listed(since) {
  const { stdout } = spawnSync('git', ['diff', '--name-only', since, '--', 'test'], { encoding: 'utf8' })
  const changed = new Set(stdout.split('\n'))
  return readdirSync('test', { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => FAILED_ONCE.includes(file) || STARTS.test(readFileSync(file, 'utf8')))
    .sort()
    .map((file) => ({ file, times: FAILED_ONCE.includes(file) || changed.has(file) ? OFTEN : SELDOM }))
}
