import type { Work } from '../core/write/work.js'
import type { DueJob, JobRun, WorkRunner } from './due-job.js'

export interface DueJobsOptions {
  readonly runner: WorkRunner
  /** At the same moment they are run in this order: those first that make work for others. */
  readonly jobs: readonly DueJob[]
  /** Milliseconds since 1970: what is due after this moment (everything, unless given) ... */
  readonly after?: number
  /** ... until this one, which belongs to it, is done. */
  readonly until: number
  /** Called with each moment, in ascending order, before its jobs run. */
  readonly reach?: (moment: number) => Promise<void>
  /** Called for a job that failed, which is then left out. Without it the error is thrown. */
  readonly failed?: (job: DueJob, error: unknown) => void
}

/**
 * Runs what is due, moment by moment in the order of time, so that catching up after a downtime has the same result as
 * no downtime. Returns what was done.
 */
export async function runDueJobs(due: DueJobsOptions): Promise<readonly JobRun[]> {
  const { runner, after = 0, until, reach } = due
  const done: JobRun[] = []
  let waiting: readonly Waiting[] = due.jobs.map((job) => ({ job, after }))
  let moment = after
  for (;;) {
    const coming = await runner.read(async (work) => await comingOf(work, waiting, until))
    // A job may create work for another that was due earlier: it runs now, as time does not run back.
    moment = Math.max(moment, Math.min(...coming.map(({ next }) => next)))
    if (moment === Number.POSITIVE_INFINITY) return done
    await reach?.(moment)
    const left = new Set<DueJob>()
    for (const { job, next, after: triedUntil } of coming) {
      if (next > moment) continue
      const count = await run(due, job, { moment, triedUntil })
      if (count === undefined) left.add(job)
      else if (count > 0) done.push({ job: job.name, at: moment, count })
    }
    waiting = coming
      .filter(({ job }) => !left.has(job))
      .map(({ job, after, next }) => ({ job, after: next <= moment ? moment : after }))
  }
}

/** A job, and the moment until which its work is done. */
interface Waiting {
  readonly job: DueJob
  readonly after: number
}

/** All jobs, with the moment of their next work, which is infinite when there is none until `until`. */
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

/** Returns how many objects a job changed; undefined when it failed. */
async function run(
  { runner, failed }: DueJobsOptions,
  job: DueJob,
  { moment, triedUntil }: { readonly moment: number; readonly triedUntil: number },
): Promise<number | undefined> {
  try {
    return await job.run(runner, moment, triedUntil)
  } catch (error) {
    if (!failed) throw error
    failed(job, error)
    return undefined
  }
}
