/** The command from what the suite has compiled, file by file: no bundle, and nothing to compile. */
const { join } = require('node:path')
const pjson = require('../../../package.json')

const root = join(__dirname, '..', '..', '..', 'node_modules', '.cache', 'suite')
const target = './src/cli/commands/main.js'
const oclif = {
  ...pjson.oclif,
  commands: { ...pjson.oclif.commands, target },
  helpClass: { ...pjson.oclif.helpClass, target },
}

async function run() {
  const { Plugin } = await import('@oclif/core/config')
  const { main } = await import(join(root, target))
  const plugin = new Plugin({ isRoot: true, ignoreManifest: true, root, pjson: { ...pjson, oclif } })
  await plugin.load()
  await main({ root, pjson: plugin.pjson, plugins: new Map([[pjson.name, plugin]]) })
}

void run()
