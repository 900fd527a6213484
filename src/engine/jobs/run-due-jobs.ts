import type { Timers } from '../../platform/clock.js'
import type { Work } from '../core/write/work.js'
import { type DueJob, type JobRun, namedRunner, type WorkRunner } from './due-job.js'
import { runPatiently } from './run-patiently.js'
import { EndedEarly } from './several-at-once.js'

export interface DueJobsOptions {
  readonly runner: WorkRunner
  /**
   * Jobs in the order in which they run at the same moment, before the lanes. Jobs that create work for
   * others must come first.
   */
  readonly jobs: readonly DueJob[]
  /**
   * Moment before the first work to be done, in milliseconds since 1970; 0 by default, so that all due work
   * is done.
   */
  readonly after?: number
  /** Last moment whose work is done. */
  readonly until: number
  /** Called with each moment, in ascending order, before its jobs run. */
  readonly reach?: (moment: number) => Promise<void>
  /** Called for a failed job, which is left out afterwards. If omitted, the error is thrown. */
  readonly failed?: (job: DueJob, error: unknown) => void
  /**
   * Timers that detect a lane without progress, which is left out afterwards. If omitted, each lane is
   * awaited.
   */
  readonly timers?: Timers
  readonly stopping?: AbortSignal | undefined
}

/**
 * Runs due work in chronological order, moment by moment, so that catching up after a downtime gives the
 * same result as running all the time. Returns the runs that changed objects.
 */
export async function runDueJobs(due: DueJobsOptions): Promise<readonly JobRun[]> {
  const { runner, after = 0, until, reach } = due
  const done: JobRun[] = []
  let waiting: readonly Waiting[] = due.jobs.map((job) => ({ job, after }))
  let moment = after
  for (;;) {
    const coming = await runner.read(async (work) => await comingOf(work, waiting, until))
    // A job may create work for another job that was due before this moment. Such work runs at this moment,
    // because time does not run backwards.
    moment = Math.max(moment, Math.min(...coming.map(({ next }) => next)))
    if (moment === Number.POSITIVE_INFINITY) return done
    await reach?.(moment)
    const left = new Set<DueJob>()
    const now = coming.filter(({ next }) => next <= moment)
    const own = await runInTurn(
      due,
      now.filter(({ job }) => job.lane === undefined),
      moment,
    )
    const lanes = await Promise.allSettled(
      [...lanesOf(now)].map(async (jobs) => await runLane(due, jobs, moment)),
    )
    const failures = lanes.flatMap((lane) => (lane.status === 'rejected' ? [lane.reason] : []))
    if (failures.length > 0) throw failures.find((error) => !(error instanceof EndedEarly)) ?? failures[0]
    for (const { job, count } of [
      own,
      ...lanes.flatMap((lane) => (lane.status === 'fulfilled' ? [lane.value] : [])),
    ].flat())
      if (count === undefined) left.add(job)
      else if (count > 0) done.push({ job: job.name, at: moment, count })
    waiting = coming
      .filter(({ job }) => !left.has(job))
      .map(({ job, after, next }) => ({ job, after: next <= moment ? moment : after }))
  }
}

/**
 * Job that has run, with the number of objects that it changed. The number is undefined if the job failed or
 * was left out.
 */
interface Ran {
  readonly job: DueJob
  readonly count: number | undefined
}

/** Runs jobs one after another. */
async function runInTurn(due: DueJobsOptions, jobs: readonly Waiting[], moment: number): Promise<Ran[]> {
  const ran: Ran[] = []
  for (const { job, after } of jobs) ran.push({ job, count: await run(due, job, { moment, after }) })
  return ran
}

/** Runs the jobs of a lane. If the lane makes no progress, all its jobs are left out afterwards. */
async function runLane(due: DueJobsOptions, jobs: readonly Waiting[], moment: number): Promise<Ran[]> {
  const { timers } = due
  if (!timers) return await runInTurn(due, jobs, moment)
  const ran = await runPatiently(due.runner, timers, (runner, stopping) =>
    runInTurn({ ...due, runner, stopping }, jobs, moment),
  )
  const lane = jobs[0]?.job.lane
  return ran ?? due.jobs.filter((job) => job.lane === lane).map((job) => ({ job, count: undefined }))
}

function lanesOf(jobs: readonly Waiting[]): Iterable<readonly Waiting[]> {
  const lanes = new Map<string, Waiting[]>()
  for (const each of jobs) {
    const { lane } = each.job
    if (lane !== undefined) lanes.set(lane, [...(lanes.get(lane) ?? []), each])
  }
  return lanes.values()
}

/** Job, with the moment up to which its work is done. */
interface Waiting {
  readonly job: DueJob
  readonly after: number
}

/** All jobs, with the moment of their next work; infinite if no work is due up to `until`. */
async function comingOf(
  work: Work,
  waiting: readonly Waiting[],
  until: number,
): Promise<(Waiting & { readonly next: number })[]> {
  const coming = []
  for (const { job, after } of waiting) {
    const next = (await job.next(work, after)) ?? Number.POSITIVE_INFINITY
    if (next <= after) throw new Error(`The job ${job.name} would run again at ${next}, after ${after}`)
    coming.push({ job, after, next: next > until ? Number.POSITIVE_INFINITY : next })
  }
  return coming
}

/** Runs a job and returns the number of objects that it changed; undefined if it failed. */
async function run(
  { runner, failed, stopping }: DueJobsOptions,
  job: DueJob,
  { moment, after }: { readonly moment: number; readonly after: number },
): Promise<number | undefined> {
  try {
    return await job.run(namedRunner(runner, job.name), moment, after, stopping)
  } catch (error) {
    // Ending early is not a failure.
    if (!failed || error instanceof EndedEarly) throw error
    failed(job, error)
    return undefined
  }
}
