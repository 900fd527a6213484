import type { RootHookObject } from 'mocha'
import { stopPostgres } from './postgres.js'

/** Ends what the suites share, also when tests fail. */
export const mochaHooks: RootHookObject = {
  async afterAll() {
    await stopPostgres()
  },
}
