import type { BackgroundWork } from './background-work.js'
import { GATEWAY_JOBS } from './gateway-jobs.js'

/** Work that `serve` does at an interval of real time, without a request. */
export interface BackgroundJob {
  readonly name: string
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly every: number
  /** Whether it runs for each gateway by itself, so that a gateway that does not answer delays no other. */
  readonly atGateways?: true
  /**
   * Does the due work, in short units of work, and returns soon after `stopping` is aborted. Several processes may
   * run it at once, and any of them may die: work must be neither repeated nor lost. `gateway` is empty unless the job
   * runs for each gateway.
   */
  run(environment: BackgroundWork, stopping: AbortSignal, gateway: string): Promise<unknown>
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Name of the job that handles notifications of gateways. */
export const NOTIFICATIONS = 'notifications of gateways'

/** Every background job; each runs first when the server starts. */
export const BACKGROUND_JOBS: readonly BackgroundJob[] = [
  {
    name: 'due work',
    every: SECOND,
    run: (environment, stopping) => environment.runOwnJobs(stopping),
  },
  {
    name: 'unknown outcomes',
    every: MINUTE,
    atGateways: true,
    run: async (environment, stopping, gateway) =>
      await (await environment.atGateway(gateway)).findOutcomes(undefined, stopping),
  },
  {
    name: 'events of gateways',
    every: MINUTE,
    atGateways: true,
    run: async (environment, stopping, gateway) =>
      await (await environment.atGateway(gateway)).pollEvents(stopping),
  },
  {
    name: NOTIFICATIONS,
    every: MINUTE,
    atGateways: true,
    run: async (environment, stopping, gateway) =>
      await (await environment.atGateway(gateway)).handleNotifications(stopping),
  },
  ...GATEWAY_JOBS.map(
    (job): BackgroundJob => ({
      name: `${job} at gateways`,
      every: SECOND,
      atGateways: true,
      run: async (environment, stopping, gateway) =>
        await (await environment.atGateway(gateway)).runDueJob(job, stopping),
    }),
  ),
  {
    name: 'webhooks',
    every: SECOND / 2,
    run: (environment, stopping) => environment.deliver(stopping),
  },
  {
    name: 'mail',
    every: SECOND,
    run: (environment, stopping) => environment.sendMail(stopping),
  },
  {
    name: 'head elsewhere',
    every: 5 * SECOND,
    run: (environment, stopping) => environment.publishHead(stopping),
  },
  {
    name: 'old logs of webhooks',
    every: 60 * MINUTE,
    async run({ core, logDays }, stopping) {
      const { deleteOldLogs } = await import('./webhooks/delete-old-logs.js')
      await deleteOldLogs(core.write, logDays, stopping)
    },
  },
  {
    name: 'old answers',
    every: 60 * MINUTE,
    async run({ core, answerClock }, stopping) {
      const { deleteOldAnswers } = await import('../engine/jobs/delete-old-answers.js')
      await deleteOldAnswers(core.write, answerClock, stopping)
    },
  },
  {
    name: 'old attempts',
    every: 10 * MINUTE,
    async run({ core }, stopping) {
      const { deleteOldAttempts } = await import('./attempts/delete-old-attempts.js')
      await deleteOldAttempts(core.write, stopping)
    },
  },
  {
    name: 'sums of days',
    every: 10 * MINUTE,
    async run({ runner }, stopping) {
      const { keepDaySums } = await import('./reports/keep-day-sums.js')
      await keepDaySums(runner, stopping)
    },
  },
]
