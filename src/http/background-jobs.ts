import type { App, AppEnvironment } from '../app.js'
import type { Environment } from '../engine/store/database/store.js'
import type { Timers } from '../platform/clock.js'
import type { Logger } from './api/log.js'

/** A task that `serve` runs at an interval of real time, for each environment. */
export interface BackgroundJob {
  readonly name: string
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly every: number
  /**
   * Does the due work, in short units of work, and returns soon after `stopping` is aborted. Several processes may
   * run it at once, and any of them may die: work must be neither repeated nor lost.
   */
  run(environment: AppEnvironment, stopping: AbortSignal): Promise<unknown>
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Name of the job that handles notifications of gateways. */
export const NOTIFICATIONS = 'notifications of gateways'

/** Every background job of `serve`; each runs first when the server starts. */
export const BACKGROUND_JOBS: readonly BackgroundJob[] = [
  {
    name: 'unknown outcomes',
    every: MINUTE,
    run: (environment, stopping) => environment.reconcile(undefined, stopping),
  },
  {
    name: NOTIFICATIONS,
    every: MINUTE,
    run: (environment, stopping) => environment.handleNotifications(stopping),
  },
  {
    name: 'due work',
    every: SECOND,
    run: (environment, stopping) => environment.runDueJobs(stopping),
  },
  {
    name: 'webhooks',
    every: SECOND / 2,
    run: (environment, stopping) => environment.deliver(stopping),
  },
  {
    name: 'head elsewhere',
    every: 5 * SECOND,
    run: (environment, stopping) => environment.publishHead(stopping),
  },
  {
    name: 'old logs of webhooks',
    every: 60 * MINUTE,
    run: (environment, stopping) => environment.deleteOldLogs(stopping),
  },
  {
    name: 'old answers',
    every: 60 * MINUTE,
    run: (environment, stopping) => environment.deleteOldAnswers(stopping),
  },
  {
    name: 'old attempts',
    every: 10 * MINUTE,
    run: (environment, stopping) => environment.deleteOldAttempts(stopping),
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

/** Jobs that are run again and again. */
export interface RunningJobs {
  /** Runs a job at once instead of at its time; a job that is running runs again afterwards. */
  wake(name: string): void
  /** Cancels scheduled runs, aborts those under way, and resolves when they have ended. */
  end(): Promise<void>
}

/** A job of an environment. */
interface Scheduled {
  readonly job: BackgroundJob
  readonly environment: Environment
  /** Cancels its next run; undefined while it runs. */
  cancel: (() => void) | undefined
  isWoken: boolean
}

/** Runs each job for each environment again and again, never the same one twice at once. */
export function runBackgroundJobs({ app, jobs, timers, log }: Running): RunningJobs {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const all: Scheduled[] = jobs.flatMap((job) =>
    ENVIRONMENTS.map((environment) => ({ job, environment, cancel: undefined, isWoken: false })),
  )

  const run = async (one: Scheduled): Promise<void> => {
    const { job, environment } = one
    let pause = job.every
    try {
      await job.run(await app.environment(environment), stopping.signal)
    } catch (err) {
      pause = RETRY
      log.error({ job: job.name, environment, err }, JOB_FAILED)
    }
    if (!stopping.signal.aborted) schedule(one, one.isWoken ? 0 : pause)
  }

  const schedule = (one: Scheduled, pause: number): void => {
    one.isWoken = false
    one.cancel = timers.after(pause, () => {
      one.cancel = undefined
      const current = run(one).finally(() => running.delete(current))
      running.add(current)
    })
  }

  for (const one of all) schedule(one, 0)
  return {
    wake(name) {
      if (stopping.signal.aborted) return
      for (const one of all.filter(({ job }) => job.name === name)) {
        if (one.cancel) {
          one.cancel()
          schedule(one, 0)
        } else one.isWoken = true
      }
    },
    async end() {
      stopping.abort()
      for (const { cancel } of all) cancel?.()
      await Promise.all(running)
    },
  }
}
