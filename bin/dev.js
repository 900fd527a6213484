#!/usr/bin/env -S node --import tsx
/** The command from its sources: no bundle, no manifest. */
const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const pjson = require('../package.json')

/** Runs the commands that a module below a folder declares. */
async function run(root, target) {
  const { Plugin } = await import('@oclif/core/config')
  const { main } = await import(pathToFileURL(join(root, target)).href)
  const commands = { ...pjson.oclif.commands, target }
  const oclif = { ...pjson.oclif, commands, helpClass: { ...pjson.oclif.helpClass, target } }
  const manifest = new Plugin({ isRoot: true, ignoreManifest: true, root, pjson: { ...pjson, oclif } })
  await manifest.load()
  await main({ root, pjson: manifest.pjson, plugins: new Map([[pjson.name, manifest]]) })
}

if (require.main === module) void run(dirname(__dirname), './src/cli/commands/main.ts')

module.exports = { run }
