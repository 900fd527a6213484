#!/usr/bin/env node
/**
 * The command. It looks at the version of Node before it loads anything, as SQLite's library crashes an older Node; such a Node hands
 * over to the one that a clone brings. Then it loads a bundle together with the code that V8 compiled at build time; V8 refuses
 * the code of another version, which is then compiled anew. This folder is CommonJS because the loader of ES modules alone costs a tenth of Node's own start.
 */
const { closeSync, existsSync, openSync, readSync, statSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** What `require('node:module')` gives, which would load the loader of ES modules. */
const Module = module.constructor

const pjson = require('../package.json')

const NEEDED = pjson.engines.node.replace('>=', '')
const root = dirname(__dirname)
const dist = join(root, 'dist')

/** The text of a bundle and its code cache, if it has one, read into the same memory: fresh memory costs more than reading. */
function read(filename) {
  const files = [filename, `${filename}.cache`].filter(existsSync)
  const memory = Buffer.allocUnsafeSlow(Math.max(...files.map((file) => statSync(file).size)))
  const [text, cachedData] = files.map((file, index) => {
    const part = memory.subarray(0, readInto(memory, file))
    return index === 0 ? part.latin1Slice() : part
  })
  return { text, cachedData }
}

/** Answers how many bytes a file has. */
function readInto(memory, file) {
  const opened = openSync(file)
  let end = 0
  for (let count = -1; count !== 0; end += count)
    count = readSync(opened, memory, end, memory.length - end, null)
  closeSync(opened)
  return end
}

/** Evaluates a bundle as the module that `require` would give, for oclif to find its commands in. */
function load(name) {
  const filename = join(dist, `${name}.cjs`)
  const bundle = new Module(filename)
  bundle.filename = filename
  require.cache[filename] = bundle
  const { text, cachedData } = read(filename)
  const script = new Script(text, { filename, cachedData })
  script.runInThisContext()(bundle.exports, Module.createRequire(filename), bundle, filename, dist)
  bundle.loaded = true
  return { script, exports: bundle.exports }
}

function from() {
  return { root, pjson }
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
  const cure = existsSync(join(root, 'scripts', 'node')) ? `run npm ci in ${root}, or ` : ''
  refuse(`payctl needs Node ${NEEDED} or newer, and this is ${node}; ${cure}install a newer one`)
}

/** Runs the command that the words name. Showing an object takes less than half of the code, which is a bundle of its own. */
async function run(...words) {
  // A clone has no bundle before it is built.
  if (!existsSync(join(dist, 'payctl.cjs')))
    return refuse(`payctl is not built yet; run: npm run build (in ${root})`)
  if (words[1] === 'get' && (await loaded('show-one').exports.showOne(from(), words))) return
  await loaded('payctl').exports.main(from(), words)
}

/** Each is loaded once. */
function loaded(name) {
  bundles[name] ??= load(name)
  return bundles[name]
}
const bundles = {}

module.exports = { load, from, run }

if (require.main === module) {
  if (!isTooOld(process.versions.node)) void run(...process.argv.slice(2))
  else if (!require('./hand-over.js').handOver(root, refuseNode)) refuseNode()
}

function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = NEEDED.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}
