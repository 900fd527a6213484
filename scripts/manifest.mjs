import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Plugin } from '@oclif/core/config'

/** The text of oclif.manifest.json for a bundle, as `oclif manifest` would write it. */
export async function manifestOf(target) {
  const pjson = JSON.parse(await readFile('package.json', 'utf8'))
  pjson.oclif.commands.target = target
  const plugin = new Plugin({
    isRoot: true,
    root: process.cwd(),
    pjson,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  return `${JSON.stringify(plugin.manifest, null, 2)}\n`
}
