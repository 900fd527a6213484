#!/usr/bin/env -S node --import tsx
/** The command from its sources: no bundle, no manifest. */
const { dirname } = require('node:path')
const pjson = require('../package.json')

const root = dirname(__dirname)
const oclif = {
  ...pjson.oclif,
  commands: { ...pjson.oclif.commands, target: './src/cli/commands/main.ts' },
  helpClass: { ...pjson.oclif.helpClass, target: './src/cli/commands/main.ts' },
}

async function dev() {
  const { Plugin } = await import('@oclif/core/config')
  const { main } = await import('../src/cli/commands/main.ts')
  const manifest = new Plugin({ isRoot: true, ignoreManifest: true, root, pjson: { ...pjson, oclif } })
  await manifest.load()
  await main({ root, pjson: manifest.pjson, plugins: new Map([[pjson.name, manifest]]) })
}

void dev()
