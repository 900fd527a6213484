import type { Core } from '../engine/core/core.js'
import type { AnswerClock } from '../engine/core/write/answer-clock.js'
import type { Work } from '../engine/core/write/work.js'
import type { DueJob, JobRun, WorkRunner } from '../engine/jobs/due-job.js'
import type { JobScheduler } from '../engine/jobs/job-scheduler.js'
import type { MovableClock } from '../engine/jobs/movable-clock.js'
import type { Store } from '../engine/store/database/store.js'
import { expectWritable } from '../engine/store/database/store.js'
import type { Vault } from '../engine/store/vault/vault.js'
import type { Clock, Timers } from '../platform/clock.js'
import type { Outgoing } from '../platform/network/outgoing.js'
import type { Random } from '../platform/random.js'
import type { Gateways } from './gateways/gateways.js'
import type { Reconciled } from './payments/reconcile.js'
import type { Deliverer } from './webhooks/deliverer.js'

/** Work that runs in an environment without a request for it. Each method runs once at a time in a process. */
export interface BackgroundWork {
  /**
   * Finds operations whose outcome is unknown, queries the gateway, and completes the answers that wait for them.
   * Records the disputes and bank returns that the gateway reports. Skips operations younger than `inFlight`
   * milliseconds (60 seconds by default), as another process may be calling the gateway. No gateway call begins after
   * `stopping` is aborted; the next run continues with the rest.
   */
  reconcile(inFlight?: number, stopping?: AbortSignal): Promise<readonly Reconciled[]>
  /** Handles the stored notifications of gateways. Begins no other when `stopping` is aborted. */
  handleNotifications(stopping?: AbortSignal): Promise<void>
  /**
   * Runs the jobs that have become due since the last call, such as expired authorizations, and returns them. A job
   * that fails is reported and retried later. Ends early, between two units of work, when `stopping` is aborted.
   */
  runDueJobs(stopping?: AbortSignal): Promise<readonly JobRun[]>
  /**
   * Notifies webhooks of events until no delivery is due; returns the number of attempts. When `stopping` is aborted,
   * attempts under way are cut off, and their deliveries are due again.
   */
  deliver(stopping: AbortSignal): Promise<number>
  /** Deletes logs of webhooks that are no longer kept; returns their number. */
  deleteOldLogs(stopping: AbortSignal): Promise<number>
  /** Deletes stored answers of idempotency keys that are no longer kept; returns their number. */
  deleteOldAnswers(stopping: AbortSignal): Promise<number>
  /** Deletes attempts that count no more; returns their number. */
  deleteOldAttempts(stopping: AbortSignal): Promise<number>
}

/** Settings of the delivery of webhooks. */
export interface DeliveryOptions {
  /** Milliseconds until an answer must have begun; 30,000 by default. */
  readonly timeout: number
  /** Days for which the logs of attempts are kept; 30 by default. */
  readonly logDays: number
  /** Attempts under way at once, of all receivers together and of each; 200 and 16 by default. */
  readonly concurrency: { readonly total: number; readonly each: number }
}

export interface BackgroundDependencies {
  readonly core: Core
  readonly store: Store
  readonly vault: Vault
  readonly gateways: () => Promise<Gateways>
  readonly jobs: () => Promise<readonly DueJob[]>
  readonly movable: MovableClock | undefined
  readonly answerClock: AnswerClock
  /** Whether due jobs wait now. */
  readonly paused: (work: Work) => Promise<boolean>
  readonly outgoing: Outgoing
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
  const runner = { read: core.read, write: core.write }
  const several: WorkRunner = {
    read: core.read,
    write: async (job) => await core.write(job, { background: true }),
  }
  let scheduler: JobScheduler | undefined
  let handling: Promise<void> = Promise.resolve()
  let deliverer: Deliverer | undefined

  /** Runs one call after another, as each reads the notifications that wait. */
  const handle = async (stopping: AbortSignal | undefined): Promise<void> => {
    const before = handling.catch(() => undefined)
    handling = before.then(async () => {
      const { handleNotifications } = await import('./reconciliation/handle-notifications.js')
      for (const { id, problem } of await handleNotifications(
        runner,
        await dependencies.gateways(),
        stopping,
      ))
        report(new Error(`The notification ${id} cannot be handled`, { cause: problem }))
    })
    await handling
  }

  return {
    async reconcile(inFlight = IN_FLIGHT, stopping) {
      await expectWritable(store)
      const gateways = await dependencies.gateways()
      const remote = await core.read((work) => gateways.remote(work))
      if (remote.length === 0) return []
      const { reconcile } = await import('./payments/reconcile.js')
      const reconciled = await reconcile(several, gateways, { now: clock.now(), inFlight, stopping })
      if (stopping?.aborted) return reconciled
      await core.completeAnswers()
      const [{ followReversal }, { noteCircuits }] = await Promise.all([
        import('./reconciliation/reverse-partial-approval.js'),
        import('./gateways/note-problem.js'),
      ])
      if (!(await core.read((work) => gateways.isCatchingUp(work))))
        await followReversal(runner, gateways, { now: clock.now(), inFlight, stopping })
      const { pollNotifications } = await import('./reconciliation/handle-notifications.js')
      await pollNotifications(runner, gateways, report, stopping)
      await handle(stopping)
      await noteCircuits(runner, gateways)
      return reconciled
    },

    async handleNotifications(stopping) {
      await expectWritable(store)
      const gateways = await dependencies.gateways()
      if ((await core.read((work) => gateways.remote(work))).length > 0) await handle(stopping)
    },

    async runDueJobs(stopping) {
      const { movable, stopwatch, paused } = dependencies
      const [{ JobScheduler }, jobs] = await Promise.all([
        import('../engine/jobs/job-scheduler.js'),
        dependencies.jobs(),
      ])
      scheduler ??= new JobScheduler({ runner: several, jobs, movable, stopwatch, paused, report })
      return await scheduler.tick(stopping)
    },

    async deliver(stopping) {
      const { vault, outgoing: http } = dependencies
      const { Deliverer } = await import('./webhooks/deliverer.js')
      deliverer ??= new Deliverer({ runner, http, vault, clock, random, timers, timeout, concurrency })
      return await deliverer.run(stopping)
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
  }
}
