/** `npm run build`: the bundle, the page of `/docs`, man pages, and V8's code cache for the bundle. */
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { bundle } from './bundle.mjs'
import { copyDocs } from './docs-page.mjs'
import { writeManPages } from './man-pages.mjs'

await rm('dist', { recursive: true, force: true })
const outfile = await bundle('./dist')
await copyDocs('./dist/docs')
await writeManPages(outfile, './dist/man')

const home = await mkdtemp(join(tmpdir(), 'payctl-build-'))
const variables = { PATH: process.env.PATH, PAYCTL_HOME: home, NODE_ENV: 'production' }
// Neither is where it is read from before both are made, so that each holds only what its own process has compiled.
const made = cache('payctl', join(home, 'cache'))
const [id = ''] = /txn_\w{22}/.exec(made) ?? []
cache('show-one', './dist/show-one.cjs.cache', id)
await copyFile(join(home, 'cache'), `${outfile}.cache`)
await rm(home, { recursive: true, force: true })

/** Writes a code cache in a process that has compiled nothing else; answers what it printed. */
function cache(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/code-cache.mjs', ...args], {
    env: variables,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The code cache was not made: ${stderr}`)
  return stdout
}
