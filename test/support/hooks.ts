import process from 'node:process'
import type { RootHookObject } from 'mocha'
import { checkedFetch } from './contract/checked-fetch.js'
import { expectDocumented } from './contract/violations.js'
import { stopPostgres } from './postgres.js'
// Made before there are other processes, which share it.
import './run-folder.js'

globalThis.fetch = checkedFetch(globalThis.fetch)

/** Holds every answer against the document, and ends what the suites share, also when tests fail. */
export const mochaHooks: RootHookObject = {
  afterEach() {
    expectDocumented()
  },
  async afterAll() {
    // One of several processes runs this after each file; its PostgreSQL serves the next one, and ends with it.
    if (process.env['MOCHA_WORKER_ID'] === undefined) await stopPostgres()
    expectDocumented()
  },
}
