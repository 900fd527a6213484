import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Plugin } from '@oclif/core/config'

/** The text of oclif.manifest.json for a bundle: what `oclif manifest` would write, a line per command. */
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
  const { commands, ...rest } = plugin.manifest
  const lines = Object.entries(commands).map(
    ([id, command]) => `${JSON.stringify(id)}:${JSON.stringify(command)}`,
  )
  return `{"commands":{\n${lines.join(',\n')}\n},${JSON.stringify(rest).slice(1)}\n`
}
