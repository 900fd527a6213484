#!/usr/bin/env node
/**
 * The command. Starting is part of using, so this file does one thing: it loads the one bundle together with the
 * code that V8 compiled at build time. A code cache of another Node version is refused by V8 and passed over. This
 * folder is CommonJS because the loader of ES modules alone costs a tenth of Node's own start.
 */
const { existsSync, readFileSync } = require('node:fs')
const Module = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const root = dirname(__dirname)
const filename = join(root, 'dist', 'payctl.cjs')

/** The code cache, or nothing where there is none. Showing an object runs half of what others do, and has one of its own. */
function readCache() {
  try {
    return readFileSync(`${filename}${process.argv[3] === 'get' ? '.get' : ''}.cache`)
  } catch {
    return undefined
  }
}

/** Evaluates the bundle as the module that `require(filename)` would give, for oclif to find its commands in. */
function load() {
  const bundle = new Module(filename)
  bundle.filename = filename
  require.cache[filename] = bundle
  const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readCache() })
  script.runInThisContext()(
    bundle.exports,
    Module.createRequire(filename),
    bundle,
    filename,
    dirname(filename),
  )
  bundle.loaded = true
  return { script, exports: bundle.exports }
}

/** A clone has no bundle before it is built. Told as the program itself tells errors, which is not there yet. */
function tellNotBuilt() {
  const reason = `payctl is not built yet; run: npm run build (in ${root})`
  const body = { object: 'error', error_type: 'InternalServerError', error_description: reason, details: {} }
  const json = process.argv.includes('--json')
  process.stderr.write(`${json ? JSON.stringify({ ...body, exit_code: 1 }) : `error: ${reason}`}\n`)
  process.exitCode = 1
}

function start() {
  const bundle = load()
  const { main } = bundle.exports
  const from = { root, pjson: require('../package.json') }
  if (require.main === module) main(from)
  else module.exports = { script: bundle.script, run: (...words) => main(from, words) }
}

if (existsSync(filename)) start()
else tellNotBuilt()
