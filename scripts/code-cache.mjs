/**
 * Writes V8's code cache for a bundle: it holds the functions that were compiled so far, so the commands that people
 * run most are run first. Usage: code-cache.mjs NAME FILE [ID]; with the id of a transaction, those that show one. Prints ids.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

const { load, from } = createRequire(import.meta.url)('../bin/run.js')
const [, , name, file, id] = process.argv
const { script, exports } = load(name)

if (id === undefined) {
  const run = async (...words) => await exports.main(from(), words)
  await run('transactions', 'pay', '--amount', '1', '--card', '4111111111111111', '--expiry', '12/39')
  await run('transactions', 'list')
  await run('transactions', 'list', '--json')
  await run('transactions', 'get', `txn_${'0'.repeat(22)}`)
} else {
  await exports.showOne(from(), ['transactions', 'get', id])
  await exports.showOne(from(), ['transactions', 'get', id, '--json'])
}

writeFileSync(file, script.createCachedData())
process.exitCode = 0
