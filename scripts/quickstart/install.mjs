import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { causeOf } from './cause.mjs'
import { startProgress } from './progress.mjs'
import { QuickstartError } from './quickstart-error.mjs'

/** What npm does from the line on that it writes then. */
const STEPS = [
  [/^> better-sqlite3@/, 'Looking for a prebuilt SQLite'],
  [/^ +CC\(target\)/, 'Compiling SQLite, which takes one to three minutes'],
]

/** Installs what the lock file says, unless that is done; `log` gets all that npm writes. */
export async function install(log) {
  if (await isInstalled()) return
  const progress = startProgress('Downloading packages')
  const { code, output } = await npmCi(log, (line) => {
    const [, step] = STEPS.find(([sign]) => sign.test(line)) ?? []
    if (step) progress.step(step)
  })
  if (code === 0 && opensSqlite()) return progress.done('Installed')
  progress.stop()
  throw new QuickstartError(causeOf(output, log))
}

async function npmCi(log, onLine) {
  // The npm that runs this script is the one that works here; `npm run --silent` must not silence the inner one.
  const { npm_execpath: path } = process.env
  const [program, first] = path?.endsWith('npm-cli.js') ? [process.execPath, [path]] : ['npm', []]
  const args = [...first, 'ci', '--foreground-scripts', '--loglevel=notice', '--no-audit', '--no-fund']
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const all = new PassThrough()
  for (const stream of [child.stdout, child.stderr]) stream.pipe(all, { end: false })
  const closed = new Promise((resolve) => {
    child.on('error', ({ code }) => resolve(code))
    child.on('close', resolve)
  }).finally(() => all.end())

  all.pipe(createWriteStream(log))
  const lines = []
  for await (const line of createInterface({ input: all })) {
    lines.push(line)
    onLine(line)
  }
  return { code: await closed, output: lines.join('\n') }
}

/** Whether all that has to be there is there in the locked version, and SQLite was built for this Node. */
async function isInstalled() {
  const locked = await packagesOf('package-lock.json')
  const installed = await packagesOf('node_modules/.package-lock.json')
  const isMissing = ([path, { version, optional }]) =>
    path !== '' && !optional && installed[path]?.version !== version
  return !Object.entries(locked).some(isMissing) && opensSqlite()
}

/** npm writes the list of what it has installed at the very end, so it is missing after an interruption. */
async function packagesOf(lockFile) {
  const text = await readFile(lockFile, 'utf8').catch(() => '{}')
  return JSON.parse(text).packages ?? {}
}

/** In a process of its own, as a binary for another Node may crash. */
function opensSqlite() {
  const { status } = spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"])
  return status === 0
}
