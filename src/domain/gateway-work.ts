import type { Core } from '../engine/core/core.js'
import { type JobRun, namedRunner } from '../engine/jobs/due-job.js'
import { JobScheduler, type JobSchedulerOptions } from '../engine/jobs/job-scheduler.js'
import { expectWritable, type Store } from '../engine/store/database/store.js'
import type { Clock } from '../platform/clock.js'
import { ReadBudgets } from '../platform/network/read-budget.js'
import { GATEWAY_JOBS, type GatewayJobName, type JobsAtGateway } from './gateway-jobs.js'
import type { Gateways } from './gateways/gateways.js'
import { noteCircuits } from './gateways/note-problem.js'
import { findStored } from './payments/find-stored.js'
import { type Reconciled, reconcile } from './payments/outcome/reconcile.js'
import { handleNotifications, pollNotifications } from './reconciliation/handle-notifications.js'
import { followReversal } from './reconciliation/reverse-partial-approval.js'

export interface GatewayWorkDependencies extends Omit<JobSchedulerOptions, 'jobs'> {
  readonly core: Core
  readonly store: Store
  readonly gateways: Gateways
  readonly jobs: JobsAtGateway
  readonly clock: Clock
}

/** Milliseconds that a gateway's call may take. */
const IN_FLIGHT = 60_000

export type WorkAtGateway = Pick<GatewayWork, keyof GatewayWork>

/**
 * Background work at one gateway. Each kind of work reads within a budget of time and bytes, and runs once at a time.
 * A gateway that does not answer delays no other.
 */
export class GatewayWork {
  private readonly searches = new ReadBudgets()
  private readonly polls = new ReadBudgets()
  private readonly notices = new ReadBudgets()
  private readonly schedulers: ReadonlyMap<GatewayJobName, JobScheduler>
  private handling: Promise<void> = Promise.resolve()
  /** Id of the transaction at which the last search for outcomes ended. */
  private searchedUntil: string | undefined

  constructor(
    private readonly name: string,
    private readonly dependencies: GatewayWorkDependencies,
  ) {
    const { jobs } = dependencies
    this.schedulers = new Map(
      GATEWAY_JOBS.map((job) => [job, new JobScheduler({ ...dependencies, jobs: [jobs[job]] })]),
    )
  }

  /** Runs one job of this gateway if it is due. */
  async runDueJob(job: GatewayJobName, stopping?: AbortSignal): Promise<readonly JobRun[]> {
    return (await this.schedulers.get(job)?.tick(stopping)) ?? []
  }

  /** Runs all jobs that are due at this gateway, one after another. */
  async runDueJobs(stopping?: AbortSignal): Promise<readonly JobRun[]> {
    const done: JobRun[] = []
    for (const scheduler of this.schedulers.values()) done.push(...(await scheduler.tick(stopping)))
    return done
  }

  /**
   * Finds the operations whose outcome is unknown, queries the gateway, and completes the stored answers that wait for
   * these outcomes. Skips operations younger than `inFlight` milliseconds, as another process may be calling the
   * gateway. When `stopping` is aborted, queries are cut off; the next run continues with the rest.
   */
  async findOutcomes(inFlight = IN_FLIGHT, stopping?: AbortSignal): Promise<readonly Reconciled[]> {
    const { core, store, gateways, clock, runner } = this.dependencies
    await expectWritable(store)
    const { name } = this
    const budget = this.searches.begin(stopping)
    const search = { name, now: clock.now(), inFlight, budget }
    const found = await reconcile(namedRunner(runner, 'find_outcomes'), gateways, {
      ...search,
      after: this.searchedUntil,
    })
    await findStored(namedRunner(runner, 'find_outcomes'), gateways, search)
    if (stopping?.aborted) return found
    this.searchedUntil =
      budget.end === undefined ? undefined : found.findLast(({ isTried }) => isTried)?.transactionId
    await core.completeAnswers()
    if (!(await core.read((work) => gateways.isCatchingUp(work))))
      await followReversal(core, gateways, search)
    this.searches.ended(budget.end !== undefined && found.every(({ result }) => result === 'unknown'))
    await noteCircuits(core, gateways, name)
    return found
  }

  /**
   * Stores the disputes and bank returns that the gateway reports. An error is reported: the next run polls it again.
   */
  async pollEvents(stopping?: AbortSignal): Promise<void> {
    const { core, store, gateways, report } = this.dependencies
    await expectWritable(store)
    const budget = this.polls.begin(stopping)
    try {
      await pollNotifications(namedRunner(core, 'poll_events'), { gateways, name: this.name, budget })
      this.polls.ended(false)
    } catch (error) {
      if (stopping?.aborted) return
      this.polls.ended(budget.end !== undefined)
      report(error)
    }
    await noteCircuits(core, gateways, this.name)
  }

  /** Handles the stored notifications. Calls run one after another, because each reads all that wait. */
  async handleNotifications(stopping?: AbortSignal): Promise<void> {
    await expectWritable(this.dependencies.store)
    const before = this.handling.catch(() => undefined)
    this.handling = before.then(async () => {
      const { core, gateways, report } = this.dependencies
      const at = { gateways, name: this.name, budget: this.notices.begin(stopping) }
      for (const { id, problem } of await handleNotifications(
        namedRunner(core, 'handle_notifications'),
        at,
        stopping,
      ))
        report(new Error(`The notification ${id} cannot be handled`, { cause: problem }))
      if (!stopping?.aborted) await noteCircuits(core, gateways, this.name)
    })
    await this.handling
  }
}
