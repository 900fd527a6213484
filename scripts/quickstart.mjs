/**
 * `npm run quickstart`: from a bare clone to the main job, at the terminal and over HTTP. Installs and builds,
 * then works in a temporary PAYCTL_HOME; every command is shown with its real output, and the first one that
 * fails ends it.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { playOverHttp } from './quickstart/http.mjs'
import { heading, passed } from './quickstart/show.mjs'
import { playAtTerminal } from './quickstart/terminal.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

heading('Install and build')
if (!existsSync('node_modules')) await passed('npm', ['ci'])
await passed('npm', ['run', 'build', '--silent'])

// Whatever is set on this machine, the story plays in the test environment of a folder of its own.
for (const name of Object.keys(process.env)) if (name.startsWith('PAYCTL_')) delete process.env[name]
process.env.PAYCTL_HOME = await mkdtemp(join(tmpdir(), 'payctl-quickstart-'))
try {
  await playOverHttp(await playAtTerminal())
} finally {
  await rm(process.env.PAYCTL_HOME, { recursive: true, force: true })
}
heading('Both doors led to the same core and the same database.')
