/**
 * Fails if the committed oclif.manifest.json differs from the sources. `oclif manifest` writes a new manifest from a
 * fresh bundle, and both are compared byte by byte.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { bundle } from './bundle.mjs'

const FILE = 'oclif.manifest.json'
const root = resolve('node_modules/.cache/payctl')
const committed = execFileSync('git', ['show', `:${FILE}`], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })

mkdirSync(root, { recursive: true })
copyFileSync('package.json', join(root, 'package.json'))
await bundle(join(root, 'dist'))
execFileSync(process.execPath, [resolve('node_modules/oclif/bin/run.js'), 'manifest'], {
  cwd: root,
  env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
  stdio: ['ignore', 'ignore', 'inherit'],
})

if (committed === readFileSync(join(root, FILE), 'utf8')) process.stdout.write('manifest: fresh\n')
else {
  process.stdout.write(`manifest: stale; run npm run manifest and add ${FILE}\n`)
  process.exitCode = 1
}
