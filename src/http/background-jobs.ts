import type { App } from '../app.js'
import type { Environment } from '../engine/store/database/store.js'
import type { Timers } from '../platform/clock.js'
import type { Logger } from './api/log.js'

/** A task that `serve` runs at an interval of real time, for each environment. */
export interface BackgroundJob {
  readonly name: string
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly every: number
  /**
   * Does what is due, in short units of work, and returns soon after `stopping` is aborted. Several processes may run it
   * at once, and any of them may die while it runs: nothing may be done twice or get lost.
   */
  run(app: App, environment: Environment, stopping: AbortSignal): Promise<unknown>
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Every background job of `serve`; each runs first when the server starts. */
export const BACKGROUND_JOBS: readonly BackgroundJob[] = [
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
    name: 'head elsewhere',
    every: 5 * SECOND,
    run: async (app, environment, stopping) => await app.publishHead(environment, stopping),
  },
  {
    name: 'old logs of webhooks',
    every: 60 * MINUTE,
    run: async (app, environment, stopping) => await app.deleteOldLogs(environment, stopping),
  },
  {
    name: 'old answers',
    every: 60 * MINUTE,
    run: async (app, environment, stopping) => await app.deleteOldAnswers(environment, stopping),
  },
]

const ENVIRONMENTS: readonly Environment[] = ['test', 'live']

/** Milliseconds after which a failed job runs again. */
const RETRY = 30_000

/** Logged when a job fails. */
export const JOB_FAILED = 'a background job failed and is tried again later'

interface Running {
  readonly app: App
  readonly jobs: readonly BackgroundJob[]
  readonly timers: Timers
  readonly log: Logger
}

/**
 * Runs each job for each environment again and again, never the same one twice at once. Returns a function that ends it:
 * scheduled runs are cancelled, current ones are aborted, and its promise resolves when they have ended.
 */
export function runBackgroundJobs({ app, jobs, timers, log }: Running): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const scheduled = new Set<() => void>()

  const run = async (job: BackgroundJob, environment: Environment): Promise<void> => {
    let pause = job.every
    try {
      await job.run(app, environment, stopping.signal)
    } catch (err) {
      pause = RETRY
      log.error({ chore: job.name, environment, err }, JOB_FAILED)
    }
    if (!stopping.signal.aborted) schedule(job, environment, pause)
  }

  const schedule = (job: BackgroundJob, environment: Environment, pause: number): void => {
    const cancel = timers.after(pause, () => {
      scheduled.delete(cancel)
      const current = run(job, environment).finally(() => running.delete(current))
      running.add(current)
    })
    scheduled.add(cancel)
  }

  for (const job of jobs) for (const environment of ENVIRONMENTS) schedule(job, environment, 0)
  return async () => {
    stopping.abort()
    for (const cancel of scheduled) cancel()
    await Promise.all(running)
  }
}
