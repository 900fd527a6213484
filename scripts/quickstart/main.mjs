/** Installs and builds payctl while a line shows the progress. Then runs the demonstration in a separate folder. */
import { spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { cloneNode } from './clone-node.mjs'
import { install } from './install.mjs'
import { startProgress } from './progress.mjs'
import { QuickstartError } from './quickstart-error.mjs'
import { tellStory } from './story.mjs'

const HOME = '.payctl/quickstart'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
await rm(HOME, { recursive: true, force: true })
await mkdir(HOME, { recursive: true, mode: 0o700 })

try {
  await install(join(HOME, 'install.log'))
  await build(join(HOME, 'build.log'))
  // The demonstration uses the test environment of its own folder, even if PAYCTL_ variables are set on this machine.
  for (const name of Object.keys(process.env)) if (name.startsWith('PAYCTL_')) delete process.env[name]
  process.env.PAYCTL_HOME = resolve(HOME)
  await tellStory()
} catch (error) {
  if (!(error instanceof QuickstartError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}

async function build(log) {
  const progress = startProgress('Building')
  const child = spawn(cloneNode(), ['scripts/build.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code === 0) return progress.done('Built')
  progress.stop()
  const output = Buffer.concat(chunks)
  await writeFile(log, output)
  throw new QuickstartError(`The build failed (all of its output is in ${log}):\n${output}`)
}
