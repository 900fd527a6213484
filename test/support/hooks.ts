import process from 'node:process'
import type { RootHookObject } from 'mocha'
import { chromium, stopBrowser } from '../browser/chromium.js'
import { checkedFetch } from './contract/checked-fetch.js'
import { expectDocumented } from './contract/violations.js'
import { stopPostgres } from './postgres.js'
// The folder is created before other processes start, because they share it.
import './run-folder.js'
import { hasTerminal } from './terminal.js'

globalThis.fetch = checkedFetch(globalThis.fetch)

/** Says before a run what it leaves out on this machine. */
export function mochaGlobalSetup(): void {
  if (chromium === undefined) process.stdout.write('There is no Chromium: tests in a browser are left out\n')
  if (!hasTerminal()) process.stdout.write('There is no tmux: tests at a terminal are left out\n')
}

/**
 * Root hooks of mocha. After each test, they check the answers against the OpenAPI document; at the end, they
 * stop shared servers.
 */
export const mochaHooks: RootHookObject = {
  afterEach() {
    expectDocumented()
  },
  async afterAll() {
    // In parallel runs, each process calls this after each file. Its PostgreSQL and its browser serve the next file,
    // and end with the process.
    if (process.env['MOCHA_WORKER_ID'] === undefined) await Promise.all([stopPostgres(), stopBrowser()])
    expectDocumented()
  },
}
