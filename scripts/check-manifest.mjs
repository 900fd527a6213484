/** Fails when the committed oclif.manifest.json is not what the sources make. */
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { bundle } from './bundle.mjs'
import { manifestOf } from './manifest.mjs'

const made = await manifestOf(await bundle('./node_modules/.cache/payctl'))
const committed = execFileSync('git', ['show', ':oclif.manifest.json'], {
  encoding: 'utf8',
  maxBuffer: 16 * 1024 * 1024,
})

const fresh = made === committed
process.stdout.write(
  fresh ? 'manifest: fresh\n' : 'manifest: stale; run npm run build and add oclif.manifest.json\n',
)
process.exitCode = fresh ? 0 : 1
