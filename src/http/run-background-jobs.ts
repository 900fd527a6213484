import type { App } from '../app.js'
import type { BackgroundJob } from '../domain/background-jobs.js'
import type { Environment } from '../engine/store/database/store.js'
import type { Timers } from '../platform/clock.js'
import type { Logger } from './api/log.js'
import type { EndedRun } from './metrics/process-metrics.js'

const SECOND = 1_000
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
  /** Called after each run. */
  readonly ran?: (run: EndedRun) => void
}

/** Jobs that are run again and again. */
export interface RunningJobs {
  /** Runs a job at once, before its interval has passed. A job that is already running runs again afterwards. */
  wake(name: string): void
  /** Cancels scheduled runs, aborts the runs under way, and resolves when these have ended. */
  end(): Promise<void>
}

/** A job of an environment, or of one of its gateways if the job runs for each gateway. */
interface Scheduled {
  readonly job: BackgroundJob
  readonly environment: Environment
  readonly gateway?: string
  /** Cancels its next run; undefined while it runs. */
  cancel: (() => void) | undefined
  isWoken: boolean
}

/** Runs each job again and again for each environment or gateway; two runs of the same job never overlap. */
export function runBackgroundJobs({ app, jobs, timers, log, ran = () => undefined }: Running): RunningJobs {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const all = new Set<Scheduled>()
  const gatewayJobs = jobs.filter(({ atGateways }) => atGateways)

  const run = async (one: Scheduled): Promise<void> => {
    const { job, environment, gateway = '' } = one
    let failed = false
    try {
      await job.run(await app.environment(environment), stopping.signal, gateway)
    } catch (err) {
      failed = true
      log.error({ job: job.name, environment, ...(gateway !== '' && { gateway }), err }, JOB_FAILED)
    }
    ran({ job: job.name, environment, gateway, failed })
    const pause = failed ? RETRY : job.every
    schedule(one, one.isWoken ? 0 : pause)
  }

  const schedule = (one: Scheduled, pause: number): void => {
    if (stopping.signal.aborted || !all.has(one)) return
    one.isWoken = false
    one.cancel = timers.after(pause, () => {
      one.cancel = undefined
      const current = run(one).finally(() => running.delete(current))
      running.add(current)
    })
  }

  const begin = (one: Omit<Scheduled, 'cancel' | 'isWoken'>, pause = 0): void => {
    const { job, environment, gateway } = one
    for (const each of all)
      if (each.job === job && each.environment === environment && each.gateway === gateway) return
    const scheduled = { ...one, cancel: undefined, isWoken: false }
    all.add(scheduled)
    schedule(scheduled, pause)
  }

  const looked = new Set<Environment>()
  /**
   * Starts the jobs of gateways: at once when the server starts, after their interval for gateways added later. Ends
   * the jobs of gateways that were removed.
   */
  const followGateways: BackgroundJob = {
    name: 'gateways',
    every: SECOND,
    async run({ name: environment, remoteGateways }) {
      const gateways = new Set(await remoteGateways())
      for (const job of gatewayJobs)
        for (const gateway of gateways)
          begin({ job, environment, gateway }, looked.has(environment) ? job.every : 0)
      looked.add(environment)
      // A job that is running now is left until a later pass, so that two runs of the job never overlap.
      for (const one of all)
        if (one.environment === environment && one.cancel && isGone(one, gateways)) {
          one.cancel()
          all.delete(one)
        }
    },
  }

  const ownJobs = jobs.filter(({ atGateways }) => !atGateways)
  for (const job of [...(gatewayJobs.length > 0 ? [followGateways] : []), ...ownJobs])
    for (const environment of ENVIRONMENTS) begin({ job, environment })
  return {
    wake(name) {
      if (stopping.signal.aborted) return
      for (const one of [...all].filter(({ job }) => job.name === name)) {
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

function isGone({ gateway }: Scheduled, gateways: ReadonlySet<string>): boolean {
  return gateway !== undefined && !gateways.has(gateway)
}
