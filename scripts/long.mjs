/**
 * `npm run long -- NAME [options]`: starts a run that takes too long for each commit. Uses the Node that runs this
 * file. Without a name, lists all runs.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { RUNS } from './long/runs.mjs'

const TSX = 'node_modules/tsx/dist/cli.mjs'
const MOCHA = 'node_modules/mocha/bin/mocha.js'

const [name, ...options] = process.argv.slice(2)
const run = Object.hasOwn(RUNS, name ?? '') ? RUNS[name] : undefined
// Ignore Ctrl-C here: the terminal also sends the signal to the run, which ends on its own.
process.on('SIGINT', () => undefined)

if (run) process.exitCode = await exitCodeOf(run)
else list()

async function exitCodeOf({ file, tests, needsBuild, given = [], env = {}, attempts = 1 }) {
  // Programs that run several of these build once, before.
  if (needsBuild && process.env['PAYCTL_LONG_BUILT'] !== '1') {
    const failed = await start(['scripts/build.mjs'], env)
    if (failed !== 0) return failed
  }
  const words = tests ? [MOCHA, ...tests] : [TSX, file]
  let code = 1
  for (let attempt = 0; attempt < attempts && code !== 0; attempt++)
    code = await start([...words, ...given, ...options], env)
  return code
}

async function start(words, env) {
  return await new Promise((resolve) => {
    const child = spawn(process.execPath, words, { stdio: 'inherit', env: { ...process.env, ...env } })
    const stop = () => child.kill()
    process.on('SIGTERM', stop)
    child.once('exit', (code) => {
      process.off('SIGTERM', stop)
      resolve(code ?? 1)
    })
  })
}

function list() {
  const width = Math.max(...Object.keys(RUNS).map(({ length }) => length))
  const lines = Object.entries(RUNS).map(([one, { does }]) => `  ${one.padEnd(width)}  ${does}`)
  if (name === undefined) process.stdout.write(`npm run long -- NAME [options]\n\n${lines.join('\n')}\n`)
  else {
    process.stderr.write(`There is no long run ${name}; npm run long lists them\n`)
    process.exitCode = 1
  }
}
