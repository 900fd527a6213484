#!/usr/bin/env node
/**
 * The command. It looks at the version of Node before it loads anything, as SQLite's library crashes an older Node; such a
 * Node hands over to the one that a clone brings. This folder is CommonJS because the loader of ES modules alone costs a
 * tenth of Node's own start.
 */
const { existsSync } = require('node:fs')
const { dirname, join } = require('node:path')
const pjson = require('../package.json')

const NEEDED = pjson.engines.node.replace('>=', '')
const root = dirname(__dirname)
const bundle = join(root, 'dist', 'payctl.cjs')

/** Runs the command that the words name. */
async function run(...words) {
  // A clone has no bundle before it is built.
  if (!existsSync(bundle)) return refuse(`payctl is not built yet; run: npm run build (in ${root})`)
  await require('./bundle.js').load(bundle, words).main({ root, pjson }, words)
}

/** Says why no command can run, as the program itself says errors. */
function refuse(reason) {
  const body = { object: 'error', error_type: 'InternalServerError', error_description: reason, details: {} }
  const json = process.argv.includes('--json')
  process.stderr.write(`${json ? JSON.stringify({ ...body, exit_code: 1 }) : `error: ${reason}`}\n`)
  process.exitCode = 1
}

function refuseNode() {
  const { node } = process.versions
  const cure = existsSync(join(root, 'scripts', 'node'))
    ? `run npm ci in ${root}, or install a newer one`
    : 'install a newer one, or use a clone of the source, which brings its own'
  refuse(`payctl needs Node ${NEEDED} or newer, and this is ${node}; ${cure}`)
}

function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = NEEDED.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

module.exports = { run }

if (require.main === module) {
  if (!isTooOld(process.versions.node)) void run(...process.argv.slice(2))
  else if (!require('./hand-over.js').handOver(root, refuseNode)) refuseNode()
}
