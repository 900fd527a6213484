/**
 * `npm run quickstart`: from a bare clone to the main job, in the terminal and over HTTP. This file has to run on any
 * Node that might be installed, so all that needs a newer one is imported when that is sure.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = engines.node.replace('>=', '')

if (isOlder(process.versions.node, needed)) {
  process.stderr.write(
    `payctl needs Node ${needed} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer one from https://nodejs.org, then run this again.\n',
  )
  process.exitCode = 1
} else {
  void import('./quickstart/main.mjs')
}

function isOlder(version, least) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}
