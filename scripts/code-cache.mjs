/**
 * Writes V8's code cache for the bundle: it holds the functions that were compiled so far, so the commands that people
 * run most are run first. Usage: code-cache.mjs FILE [ID]; with the id of a transaction, those that show one. Prints ids.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'

const { script, run } = createRequire(import.meta.url)('../bin/run.js')
const [, , file, id] = process.argv

if (id === undefined) {
  await run('transactions', 'pay', '--amount', '1', '--card', '4111111111111111', '--expiry', '12/39')
  await run('transactions', 'list')
  await run('transactions', 'list', '--json')
  await run('transactions', 'get', `txn_${'0'.repeat(22)}`)
} else {
  await run('transactions', 'get', id)
  await run('transactions', 'get', id, '--json')
}

writeFileSync(file, script.createCachedData())
process.exitCode = 0
