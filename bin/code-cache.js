/**
 * Code that V8 has compiled, kept in the user's cache folder for the next start: $XDG_CACHE_HOME/payctl, or
 * ~/.cache/payctl. There is a file for each Node, bundle and command, as reading code that a command does not run costs
 * more than it saves. Where no file can be kept, commands start slower and work all the same.
 */
const fs = require('node:fs')
const { join } = require('node:path')

/** Milliseconds after which a file is removed; a command that still needs it makes it again. */
const LIFE = 30 * 24 * 60 * 60 * 1000

/** The cache for a bundle, by its hash, and the command that the words name. */
function codeCache(hash, words) {
  const folder = cacheFolder()
  const { version, arch } = process
  const name = [`payctl-${hash}`, version, arch, ...commandWords(words)].join('-')
  const file = folder && join(folder, `${name}.code`)
  return {
    /** The code; undefined where there is none. */
    read: () => (file && fs.existsSync(file) && isOwn(folder) ? fs.readFileSync(file) : undefined),
    keep: (script) => {
      if (file && !process.exitCode) keep(folder, file, script)
    },
  }
}

function cacheFolder() {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env
  if (cache?.startsWith('/')) return join(cache, 'payctl')
  return home?.startsWith('/') ? join(home, '.cache', 'payctl') : undefined
}

/** The words that may name a command, without ids and values; its help is another program. */
function commandWords(words) {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
  const named = words.slice(0, end === -1 ? 2 : Math.min(end, 2))
  return words.includes('--help') ? [...named, 'help'] : named
}

/** Whether the folder is the user's own and closed to others: whoever may write there could run code as this user. */
function isOwn(folder) {
  const found = fs.lstatSync(folder)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

/** Writes a draft and gives it the name, so that commands which start at once never read half a file. */
function keep(folder, file, script) {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!isOwn(folder)) return
    removeOld(folder)
    const draft = `${file}.${process.pid}`
    fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: 'wx' })
    fs.renameSync(draft, file)
  } catch {
    // The disk is full or read-only, or another process was faster; the command itself is done.
  }
}

function removeOld(folder) {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - fs.statSync(path).mtimeMs > LIFE) fs.rmSync(path, { force: true })
  }
}

module.exports = { codeCache }
