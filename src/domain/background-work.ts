import type { Core } from '../engine/core/core.js'
import type { AnswerClock } from '../engine/core/write/answer-clock.js'
import type { Work } from '../engine/core/write/work.js'
import { yieldingReads } from '../engine/core/write/yielding-reads.js'
import type { DueJob, JobRun, WorkRunner } from '../engine/jobs/due-job.js'
import type { JobScheduler } from '../engine/jobs/job-scheduler.js'
import type { MovableClock } from '../engine/jobs/movable-clock.js'
import type { Environment, Store } from '../engine/store/database/store.js'
import type { Vault } from '../engine/store/vault/vault.js'
import type { Clock, Timers } from '../platform/clock.js'
import type { OpenSmtp } from '../platform/network/late-smtp.js'
import type { Outgoing } from '../platform/network/outgoing.js'
import type { Random } from '../platform/random.js'
import type { JobsAtGateway } from './gateway-jobs.js'
import type { GatewayWork, WorkAtGateway } from './gateway-work.js'
import type { Gateways } from './gateways/gateways.js'
import type { Reconciled } from './payments/outcome/reconcile.js'
import type { Deliverer } from './webhooks/deliverer.js'

/**
 * Work that a process does in an environment without a request, such as due jobs; `BACKGROUND_JOBS` says how often.
 * Each method runs once at a time in a process.
 */
export interface BackgroundWork {
  readonly name: Environment
  readonly core: Core
  /** Runs the steps of background work, several of which may share a commit. */
  readonly runner: WorkRunner
  readonly answerClock: AnswerClock
  /** Days for which the logs of webhooks are kept. */
  readonly logDays: number
  /** Names of the gateways outside this machine. */
  remoteGateways(): Promise<readonly string[]>
  /** The work at one gateway, which does not wait for another gateway. */
  atGateway(name: string): Promise<WorkAtGateway>
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
  /** Publishes the signed head of the books where the options say. Throws an error when it cannot be published. */
  publishHead(stopping: AbortSignal): Promise<void>
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
  readonly name: Environment
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
  readonly publishHead: BackgroundWork['publishHead']
  readonly outgoing: Outgoing
  readonly openSmtp: OpenSmtp
  readonly delivery: Partial<DeliveryOptions>
  readonly clock: Clock
  readonly stopwatch: Clock
  readonly random: Random
  readonly timers: Timers
  readonly report: (error: unknown) => void
}

const TIMEOUT = 30_000
const LOG_DAYS = 30
const CONCURRENCY = { total: 200, each: 16 }

/** The background work of one environment. Each part is loaded when it is first run. */
export function backgroundWork(dependencies: BackgroundDependencies): BackgroundWork {
  const { core, store, clock, random, timers, report } = dependencies
  const { timeout = TIMEOUT, concurrency = CONCURRENCY, logDays = LOG_DAYS } = dependencies.delivery
  const { answerClock, publishHead } = dependencies
  const read = yieldingReads(core.read)
  const one = { read, write: core.write }
  const runner: WorkRunner = {
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
      store,
      gateways,
      jobs,
      clock,
      runner,
      movable,
      stopwatch,
      paused,
      report,
    })
  }
  const atGateway = (name: string): Promise<GatewayWork> => {
    const known = atGateways.get(name)
    if (known) return known
    const opened = open(name)
    atGateways.set(name, opened)
    // After a failure the next call tries again.
    opened.catch(() => atGateways.delete(name))
    return opened
  }

  const work: BackgroundWork = {
    name: dependencies.name,
    core,
    runner,
    answerClock,
    logDays,
    publishHead,
    remoteGateways: names,
    atGateway,

    async reconcile(inFlight, stopping) {
      const found = await Promise.all(
        (await names()).map(async (name) => {
          const gateway = await atGateway(name)
          const outcomes = await gateway.findOutcomes(inFlight, stopping)
          if (!stopping?.aborted) await gateway.pollEvents(stopping)
          if (!stopping?.aborted) await gateway.handleNotifications(stopping)
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
      scheduler ??= new JobScheduler({ runner, jobs, movable, stopwatch, paused, report })
      return await scheduler.tick(stopping)
    },

    async runDueJobs(stopping) {
      const own = await work.runOwnJobs(stopping)
      const runAt = async (gateway: string) => await (await atGateway(gateway)).runDueJobs(stopping)
      return [own, ...(await Promise.all((await names()).map(runAt)))].flat()
    },

    async deliver(stopping) {
      const { vault, outgoing: http } = dependencies
      const { Deliverer } = await import('./webhooks/deliverer.js')
      deliverer ??= new Deliverer({ runner: one, http, vault, clock, random, timers, timeout, concurrency })
      return await deliverer.run(stopping)
    },

    async sendMail(stopping) {
      const { openSmtp } = dependencies
      const [{ queueFromEvents }, { sendDueMail }] = await Promise.all([
        import('./mail/mail-from-events.js'),
        import('./mail/send-mail.js'),
      ])
      await queueFromEvents(one, stopping)
      return await sendDueMail({ runner: one, openSmtp, random }, stopping)
    },

    async sendOneMail(id) {
      const { sendOneMail } = await import('./mail/send-mail.js')
      return await sendOneMail({ ...dependencies, runner: one }, id)
    },
  }
  return work
}
