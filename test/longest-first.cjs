const { readdirSync } = require('node:fs')
const process = require('node:process')
// Written by `npm run timings`.
const timings = require('./timings.json')

/**
 * All files with tests, those first that take longest in this run, so that at the end no worker waits for another that
 * has just begun one. None if files are named on the command line, which then run alone.
 */
function longestFirst(run) {
  if (process.argv.slice(2).some((word) => /^(\.\/)?test\/|\.test\.ts$/.test(word))) return []
  const seconds = (file) => timings[run][file] ?? 0
  return readdirSync('test', { recursive: true })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort((a, b) => seconds(b) - seconds(a) || (a < b ? -1 : 1))
}

module.exports = { longestFirst }
