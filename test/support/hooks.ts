import process from 'node:process'
import type { RootHookObject } from 'mocha'
import { checkedFetch } from './contract/checked-fetch.js'
import { expectDocumented } from './contract/violations.js'
import { stopPostgres } from './postgres.js'
// The folder is created before other processes start, because they share it.
import './run-folder.js'

globalThis.fetch = checkedFetch(globalThis.fetch)

/**
 * Checks every answer against the document, and ends shared resources of the suites, even after a failed
 * test.
 */
export const mochaHooks: RootHookObject = {
  afterEach() {
    expectDocumented()
  },
  async afterAll() {
    // In parallel runs, each process calls this after each file. Its PostgreSQL serves the next file, and
    // ends with the process.
    if (process.env['MOCHA_WORKER_ID'] === undefined) await stopPostgres()
    expectDocumented()
  },
}
