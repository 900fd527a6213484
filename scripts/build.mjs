/** `npm run build`: the bundle, the page of `/docs`, man pages, and V8's code cache for the bundle. */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
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
const { status, stderr } = spawnSync(process.execPath, ['scripts/code-cache.mjs', `${outfile}.cache`], {
  env: variables,
})
await rm(home, { recursive: true, force: true })
if (status !== 0) throw new Error(`The code cache was not made: ${stderr}`)
