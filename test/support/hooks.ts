import process from 'node:process'
import type { RootHookObject } from 'mocha'
import { checkedFetch } from './contract/checked-fetch.js'
import { expectDocumented } from './contract/violations.js'
import { stopPostgres } from './postgres.js'
// The folder is created before other processes start, because they share it.
import './run-folder.js'

globalThis.fetch = checkedFetch(globalThis.fetch)

/**
 * Root hooks of mocha. After each test, they check the answers against the OpenAPI document; at the end, they
 * stop shared servers.
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
