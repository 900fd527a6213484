import type { App } from '../app.js'
import type { Environment } from '../engine/core/write/work.js'

/** What a serving process does by itself every so often, by the real time and for each environment. */
export interface Chore {
  readonly name: string
  /** Milliseconds from the end of one round to the beginning of the next. */
  readonly every: number
  /**
   * Does what there is to do, in short units of work, and returns soon after `stopping` is aborted. Several processes
   * may do it at once, and any of them may die in it: nothing may be done twice or be lost by that.
   */
  run(app: App, environment: Environment, stopping: AbortSignal): Promise<unknown>
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Every chore of `serve`; the first round is at its start. */
export const CHORES: readonly Chore[] = [
  {
    name: 'unknown outcomes',
    every: MINUTE,
    run: async (app, environment) => await app.reconcile(environment),
  },
  {
    name: 'due work',
    every: SECOND,
    run: async (app, environment, stopping) => await app.runDueJobs(environment, stopping),
  },
  {
    name: 'webhooks',
    every: SECOND / 2,
    run: async (app, environment, stopping) => await app.deliver(environment, stopping),
  },
  {
    name: 'old logs of webhooks',
    every: 60 * MINUTE,
    run: async (app, environment, stopping) => await app.forgetLogs(environment, stopping),
  },
  {
    name: 'old answers',
    every: 60 * MINUTE,
    run: async (app, environment, stopping) => await app.forgetAnswers(environment, stopping),
  },
]
