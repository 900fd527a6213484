/**
 * `npm run quickstart`: goes from a fresh clone to a payment, in the terminal and over HTTP. This file must run on any
 * version of Node. payctl itself then runs on the Node of the clone.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { engines } = manifest('../package.json')
const { optionalDependencies: brought } = manifest('node/package.json')
const needed = engines.node.replace('>=', '')
const versions = [process.versions.node, brought[`node-${process.platform}-${process.arch}`]]

if (versions.some((version) => version !== undefined && !isOlder(version, needed))) {
  void import('./quickstart/main.mjs')
} else {
  process.stderr.write(
    `payctl needs Node ${needed} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer one from https://nodejs.org, then run this again.\n',
  )
  process.exitCode = 1
}

function manifest(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}

function isOlder(version, least) {
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}
