/**
 * Fails when the committed oclif.manifest.json is not what the sources make. The installed `@oclif/core` loads the
 * commands twice, from that file and from the bundle itself: each command and its help must be the same.
 */
import { deepStrictEqual } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { Config, Plugin } from '@oclif/core/config'
import { CommandHelp } from '@oclif/core/help'
import { bundle } from './bundle.mjs'
import { compactManifest, withoutDefaults } from './manifest/compact-manifest.mjs'

const root = resolve('node_modules/.cache/payctl')
const committed = execFileSync('git', ['show', ':oclif.manifest.json'], {
  encoding: 'utf8',
  maxBuffer: 16 * 1024 * 1024,
})
const outfile = resolve((await bundle(root)).outfile)
await writeFile(join(root, 'oclif.manifest.json'), committed)

const made = await load(true)
const read = await load(false)
if (committed !== compactManifest(made.manifest)) {
  fail('stale; run npm run manifest and add oclif.manifest.json')
} else {
  const different = made.ids.filter((id) => !isSame(id))
  if (different.length > 0) fail(`@oclif/core reads these otherwise: ${different.join(', ')}`)
  else process.stdout.write('manifest: fresh\n')
}

async function load(ignoreManifest) {
  const pjson = JSON.parse(await readFile('package.json', 'utf8'))
  pjson.oclif.commands.target = outfile
  const plugin = new Plugin({ isRoot: true, root, pjson, ignoreManifest, errorOnManifestCreate: true })
  await plugin.load()
  const config = new Config({ root, pjson, plugins: new Map([[plugin.name, plugin]]) })
  await config.load()
  return { config, manifest: plugin.manifest, ids: plugin.commandIDs }
}

function isSame(id) {
  try {
    deepStrictEqual(plain(read.config, id), plain(made.config, id))
    deepStrictEqual(helpOf(read.config, id), helpOf(made.config, id))
    return true
  } catch {
    return false
  }
}

/** As JSON has it: no functions, and nothing that is undefined. */
function plain(config, id) {
  return withoutDefaults(JSON.parse(JSON.stringify(config.findCommand(id, { must: true }))))
}

function helpOf(config, id) {
  const command = config.findCommand(id, { must: true })
  return new CommandHelp(command, config, { flagSortOrder: 'none', maxWidth: 80 }).generate()
}

function fail(text) {
  process.stdout.write(`manifest: ${text}\n`)
  process.exitCode = 1
}
