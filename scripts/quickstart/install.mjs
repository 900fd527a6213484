import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { causeOf } from './cause.mjs'
import { cloneNode } from './clone-node.mjs'
import { startProgress } from './progress.mjs'
import { QuickstartError } from './quickstart-error.mjs'

/**
 * Installs the locked packages, unless they are installed. Writes all output of npm to the file `log`. Throws
 * `QuickstartError` if the installation fails.
 */
export async function install(log) {
  if (await isInstalled()) return
  const progress = startProgress('Downloading packages')
  const { code, output } = await npmCi()
  await writeFile(log, output)
  const problem = code === 0 ? sqliteProblem() : causeOf(output, log)
  if (problem === undefined) return progress.done('Installed')
  progress.stop()
  throw new QuickstartError(problem)
}

async function npmCi() {
  // Use the npm that runs this script, because it works. An explicit log level keeps `npm run --silent` from silencing
  // it.
  const { npm_execpath: path } = process.env
  const [program, first] = path?.endsWith('npm-cli.js') ? [process.execPath, [path]] : ['npm', []]
  const args = [...first, 'ci', '--loglevel=notice', '--no-audit', '--no-fund']
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  const code = await new Promise((resolve) => {
    child.on('error', ({ code }) => resolve(code))
    child.on('close', resolve)
  })
  return { code, output: Buffer.concat(chunks).toString() }
}

/** Whether all packages are installed in their locked versions and SQLite can be opened. */
async function isInstalled() {
  const locked = await packagesOf('package-lock.json')
  const installed = await packagesOf('node_modules/.package-lock.json')
  const isMissing = ([path, { version, optional }]) =>
    path !== '' && (installed[path] ? installed[path].version !== version : !optional)
  return !Object.entries(locked).some(isMissing) && sqliteProblem() === undefined
}

/** Packages in a lock file. npm writes the list of installed packages last, so it is missing after an interruption. */
async function packagesOf(lockFile) {
  const text = await readFile(lockFile, 'utf8').catch(() => '{}')
  return JSON.parse(text).packages ?? {}
}

/**
 * Reason why SQLite cannot be opened; undefined if it can. Tried in a separate process, because a wrong binary may
 * crash.
 */
function sqliteProblem() {
  const { status, stderr } = spawnSync(cloneNode(), ['-e', "new (require('better-sqlite3'))(':memory:')"])
  return status === 0 ? undefined : `SQLite does not open on this machine:\n${stderr}`
}
