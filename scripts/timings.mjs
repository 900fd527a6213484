/**
 * `npm run timings`: runs `npm test` and `npm run test:rest`, and writes what each file takes to `test/timings.json`, by
 * which later runs begin with the longest. `-- test` or `-- rest` measures one of them.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const FILE = 'test/timings.json'
/** Files that take fewer seconds of CPU are not listed: their order does not matter. */
const SHORTEST = 2
const CONFIGURATIONS = { test: '.mocharc.cjs', rest: '.mocharc.rest.cjs' }

const runs = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(CONFIGURATIONS)
const folder = mkdtempSync(join(tmpdir(), 'payctl-timings-'))
const timings = JSON.parse(readFileSync(FILE, 'utf8'))
for (const run of runs) {
  const costs = join(folder, run)
  const mocha = ['node_modules/mocha/bin/mocha.js', '--config', CONFIGURATIONS[run]]
  const { status } = spawnSync(process.execPath, mocha, {
    stdio: 'inherit',
    env: { ...process.env, PAYCTL_TEST_COSTS: costs },
  })
  if (status !== 0) process.exitCode = 1
  timings[run] = listed(JSON.parse(readFileSync(costs, 'utf8')))
}
writeFileSync(FILE, `${JSON.stringify(timings, null, 2)}\n`)
rmSync(folder, { recursive: true })

function listed(costs) {
  const long = costs.filter(({ seconds }) => seconds >= SHORTEST)
  return Object.fromEntries(long.map(({ file, seconds }) => [file, Math.round(seconds)]))
}
