import type { Core } from '../engine/core/core.js'
import type { AnswerClock } from '../engine/core/write/answer-clock.js'
import type { Work } from '../engine/core/write/work.js'
import { yieldingReads } from '../engine/core/write/yielding-reads.js'
import type { DueJob, JobRun, WorkRunner } from '../engine/jobs/due-job.js'
import type { JobScheduler } from '../engine/jobs/job-scheduler.js'
import type { MovableClock } from '../engine/jobs/movable-clock.js'
import type { Store } from '../engine/store/database/store.js'
import { expectWritable } from '../engine/store/database/store.js'
import type { Vault } from '../engine/store/vault/vault.js'
import type { Clock, Timers } from '../platform/clock.js'
import type { OpenSmtp } from '../platform/network/late-smtp.js'
import type { Outgoing } from '../platform/network/outgoing.js'
import type { Random } from '../platform/random.js'
import type { GatewayJobName, JobsAtGateway } from './gateway-jobs.js'
import type { GatewayWork } from './gateway-work.js'
import type { Gateways } from './gateways/gateways.js'
import type { Reconciled } from './payments/outcome/reconcile.js'
import type { Deliverer } from './webhooks/deliverer.js'

/**
 * Work that a process does in an environment without a request, such as due jobs. Each method runs once at a time in
 * a process.
 */
export interface BackgroundWork {
  /**
   * Names of the gateways outside this machine. Each has work of its own, below, and does not wait for another
   * gateway.
   */
  remoteGateways(): Promise<readonly string[]>
  /**
   * Finds the operations of one gateway whose outcome is unknown, queries the gateway, and completes the stored
   * answers that wait for these outcomes. Skips operations younger than `inFlight` milliseconds (60 seconds by
   * default), as another process may be calling the gateway. When `stopping` is aborted, queries are cut off; the
   * next run continues with the rest.
   */
  findOutcomes(gateway: string, inFlight?: number, stopping?: AbortSignal): Promise<readonly Reconciled[]>
  /**
   * Stores the disputes and bank returns that one gateway reports. When `stopping` is aborted, the queries are cut
   * off.
   */
  pollEvents(gateway: string, stopping?: AbortSignal): Promise<void>
  /** Handles the stored notifications of one gateway. Handles no further one when `stopping` is aborted. */
  handleNotifications(gateway: string, stopping?: AbortSignal): Promise<void>
  /** Runs one job that is due at one gateway, as `runDueJobs` does. */
  runGatewayJob(gateway: string, job: GatewayJobName, stopping?: AbortSignal): Promise<readonly JobRun[]>
  /** Finds outcomes, polls and handles events at all gateways, in parallel. */
  reconcile(inFlight?: number, stopping?: AbortSignal): Promise<readonly Reconciled[]>
  /**
   * Runs the jobs that call no gateway and have become due since the last call, such as deposits, and returns them. A
   * job that fails is reported and retried later. Ends early, between two units of work, when `stopping` is aborted.
   */
  runOwnJobs(stopping?: AbortSignal): Promise<readonly JobRun[]>
  /** Runs due jobs as `runOwnJobs` does, then the jobs that are due at gateways. Gateways are served in parallel. */
  runDueJobs(stopping?: AbortSignal): Promise<readonly JobRun[]>
  /**
   * Notifies webhooks of events until no delivery is due; returns the number of attempts. When `stopping` is aborted,
   * attempts under way are cut off, and their deliveries are due again.
   */
  deliver(stopping: AbortSignal): Promise<number>
  /**
   * Queues mail about events, and sends the mail that is due; returns the number of attempts. When `stopping` is
   * aborted, messages under way are cut off, and sent again later.
   */
  sendMail(stopping: AbortSignal): Promise<number>
  /** Sends one message now. Returns the reason if it was not sent. */
  sendOneMail(id: string): Promise<string | undefined>
  /** Deletes logs of webhooks that are no longer kept; returns their number. */
  deleteOldLogs(stopping: AbortSignal): Promise<number>
  /** Deletes stored answers of idempotency keys that are no longer kept; returns their number. */
  deleteOldAnswers(stopping: AbortSignal): Promise<number>
  /** Deletes attempts, such as wrong passwords, that no longer count; returns their number. */
  deleteOldAttempts(stopping: AbortSignal): Promise<number>
  /** Stores the sums of days that have ended, for reports; returns the number of days. */
  keepDaySums(stopping: AbortSignal): Promise<number>
}

/** Settings of the delivery of webhooks. */
export interface DeliveryOptions {
  /** Milliseconds until an answer must have begun; 30,000 by default. */
  readonly timeout: number
  /** Days for which the logs of attempts are kept; 30 by default. */
  readonly logDays: number
  /** Maximum number of attempts at the same time, to all receivers together and to each; 200 and 16 by default. */
  readonly concurrency: { readonly total: number; readonly each: number }
}

export interface BackgroundDependencies {
  readonly core: Core
  readonly store: Store
  readonly vault: Vault
  readonly gateways: () => Promise<Gateways>
  /** Jobs that call no gateway, and the jobs of one gateway. */
  readonly jobs: () => Promise<readonly DueJob[]>
  readonly gatewayJobs: (gateway: string) => Promise<JobsAtGateway>
  readonly movable: MovableClock | undefined
  readonly answerClock: AnswerClock
  /** Whether due jobs are paused now. */
  readonly paused: (work: Work) => Promise<boolean>
  readonly outgoing: Outgoing
  readonly openSmtp: OpenSmtp
  readonly delivery: Partial<DeliveryOptions>
  readonly clock: Clock
  readonly stopwatch: Clock
  readonly random: Random
  readonly timers: Timers
  readonly report: (error: unknown) => void
}

/** Milliseconds that a gateway's call may take. */
const IN_FLIGHT = 60_000
const TIMEOUT = 30_000
const LOG_DAYS = 30
const CONCURRENCY = { total: 200, each: 16 }

/** The background work of one environment. Each part is loaded when it is first run. */
export function backgroundWork(dependencies: BackgroundDependencies): BackgroundWork {
  const { core, store, clock, random, timers, report } = dependencies
  const { timeout = TIMEOUT, concurrency = CONCURRENCY, logDays = LOG_DAYS } = dependencies.delivery
  const read = yieldingReads(core.read)
  const runner = { read, write: core.write }
  const several: WorkRunner = {
    read,
    write: async (work, as) => await core.write(work, { background: true, ...as }),
  }
  let scheduler: JobScheduler | undefined
  const atGateways = new Map<string, Promise<GatewayWork>>()
  let deliverer: Deliverer | undefined

  const names = async () => {
    const gateways = await dependencies.gateways()
    return await core.read((work) => gateways.names(work))
  }
  const open = async (name: string): Promise<GatewayWork> => {
    const { movable, stopwatch, paused } = dependencies
    const [{ GatewayWork }, gateways, jobs] = await Promise.all([
      import('./gateway-work.js'),
      dependencies.gateways(),
      dependencies.gatewayJobs(name),
    ])
    return new GatewayWork(name, {
      core,
      gateways,
      jobs,
      clock,
      runner: several,
      movable,
      stopwatch,
      paused,
      report,
    })
  }
  const at = (name: string): Promise<GatewayWork> => {
    const known = atGateways.get(name)
    if (known) return known
    const opened = open(name)
    atGateways.set(name, opened)
    // After a failure the next call tries again.
    opened.catch(() => atGateways.delete(name))
    return opened
  }

  const work: BackgroundWork = {
    remoteGateways: names,

    async findOutcomes(gateway, inFlight = IN_FLIGHT, stopping) {
      await expectWritable(store)
      return await (await at(gateway)).findOutcomes(inFlight, stopping)
    },

    async pollEvents(gateway, stopping) {
      await expectWritable(store)
      await (await at(gateway)).pollEvents(stopping)
    },

    async handleNotifications(gateway, stopping) {
      await expectWritable(store)
      await (await at(gateway)).handleNotifications(stopping)
    },

    async runGatewayJob(gateway, job, stopping) {
      return await (await at(gateway)).runDueJob(job, stopping)
    },

    async reconcile(inFlight, stopping) {
      const found = await Promise.all(
        (await names()).map(async (gateway) => {
          const outcomes = await work.findOutcomes(gateway, inFlight, stopping)
          if (!stopping?.aborted) await work.pollEvents(gateway, stopping)
          if (!stopping?.aborted) await work.handleNotifications(gateway, stopping)
          return outcomes
        }),
      )
      return found.flat()
    },

    async runOwnJobs(stopping) {
      const { movable, stopwatch, paused } = dependencies
      const [{ JobScheduler }, jobs] = await Promise.all([
        import('../engine/jobs/job-scheduler.js'),
        dependencies.jobs(),
      ])
      scheduler ??= new JobScheduler({ runner: several, jobs, movable, stopwatch, paused, report })
      return await scheduler.tick(stopping)
    },

    async runDueJobs(stopping) {
      const own = await work.runOwnJobs(stopping)
      const runAt = async (gateway: string) => await (await at(gateway)).runDueJobs(stopping)
      return [own, ...(await Promise.all((await names()).map(runAt)))].flat()
    },

    async deliver(stopping) {
      const { vault, outgoing: http } = dependencies
      const { Deliverer } = await import('./webhooks/deliverer.js')
      deliverer ??= new Deliverer({ runner, http, vault, clock, random, timers, timeout, concurrency })
      return await deliverer.run(stopping)
    },

    async sendMail(stopping) {
      const { openSmtp } = dependencies
      const [{ queueFromEvents }, { sendDueMail }] = await Promise.all([
        import('./mail/mail-from-events.js'),
        import('./mail/send-mail.js'),
      ])
      await queueFromEvents(runner, stopping)
      return await sendDueMail({ runner, openSmtp, random }, stopping)
    },

    async sendOneMail(id) {
      const { sendOneMail } = await import('./mail/send-mail.js')
      return await sendOneMail({ ...dependencies, runner }, id)
    },

    async deleteOldLogs(stopping) {
      const { deleteOldLogs } = await import('./webhooks/delete-old-logs.js')
      return await deleteOldLogs(core.write, logDays, stopping)
    },

    async deleteOldAnswers(stopping) {
      const { deleteOldAnswers } = await import('../engine/jobs/delete-old-answers.js')
      return await deleteOldAnswers(core.write, dependencies.answerClock, stopping)
    },

    async deleteOldAttempts(stopping) {
      const { deleteOldAttempts } = await import('./attempts/delete-old-attempts.js')
      return await deleteOldAttempts(core.write, stopping)
    },

    async keepDaySums(stopping) {
      const { keepDaySums } = await import('./reports/keep-day-sums.js')
      return await keepDaySums(several, stopping)
    },
  }
  return work
}
