/** Loads the bundle together with the code that V8 compiled of it before, as compiling takes longer than most commands. */
const { readFileSync } = require('node:fs')
const { dirname } = require('node:path')
const { Script } = require('node:vm')
const { codeCache } = require('./code-cache.js')

/** What `require('node:module')` gives, which would load the loader of ES modules. */
const Module = module.constructor

/** Hexadecimal digits of the bundle's hash, which are the end of its text. */
const HASH_LENGTH = 64

/** Evaluates the bundle as the module that `require` would give, for oclif to find its commands in; once. */
function load(filename, words) {
  const loaded = require.cache[filename]
  if (loaded) return loaded.exports
  const bundle = new Module(filename)
  bundle.filename = filename
  require.cache[filename] = bundle
  const text = readFileSync(filename, 'latin1')
  const cache = codeCache(text.slice(-HASH_LENGTH), words)
  const cachedData = cache.read()
  const script = new Script(text, { filename, cachedData })
  script.runInThisContext()(
    bundle.exports,
    Module.createRequire(filename),
    bundle,
    filename,
    dirname(filename),
  )
  bundle.loaded = true
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => cache.keep(script))
  return bundle.exports
}

module.exports = { load }
