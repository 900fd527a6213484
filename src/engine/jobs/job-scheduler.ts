import type { Clock } from '../../platform/clock.js'
import type { Work } from '../core/write/work.js'
import type { DueJob, JobRun, WorkRunner } from './due-job.js'
import type { MovableClock } from './movable-clock.js'
import { runDueJobs } from './run-due-jobs.js'
import { EndedEarly } from './several-at-once.js'

/** Milliseconds after which failed work is tried again, for example when a gateway was unreachable. */
const RETRY = 60_000

export interface JobSchedulerOptions {
  readonly runner: WorkRunner
  readonly jobs: readonly DueJob[]
  /** Undefined in the live environment, where the clock shows the real time. */
  readonly movable: MovableClock | undefined
  readonly stopwatch: Clock
  /** Whether due jobs must not run now. */
  readonly paused: (work: Work) => Promise<boolean>
  /** Called with the error of each failed job. */
  readonly report: (error: unknown) => void
}

/**
 * Runs the due jobs of a long-lived process. Each tick runs the jobs that have become due since the
 * previous one. From time to time, and after the clock was set back, a tick searches for all undone work.
 */
export class JobScheduler {
  private until = Number.POSITIVE_INFINITY
  private lastWhole = Number.NEGATIVE_INFINITY

  constructor(private readonly options: JobSchedulerOptions) {}

  /**
   * Runs the jobs that are due now. The caller must not start a tick before the previous one has ended.
   * Ends after the current unit of work if `stopping` is aborted.
   */
  async tick(stopping?: AbortSignal): Promise<readonly JobRun[]> {
    try {
      return await this.runTick(stopping)
    } catch (error) {
      if (error instanceof Stopped) return []
      throw error
    }
  }

  private async runTick(stopping: AbortSignal | undefined): Promise<readonly JobRun[]> {
    const { runner, jobs, stopwatch, report } = this.options
    const until = jobs.length === 0 ? undefined : await this.now()
    if (until === undefined) return []
    const isWhole = until < this.until || stopwatch.now() - this.lastWhole >= RETRY
    if (isWhole) this.lastWhole = stopwatch.now()
    const failed = (job: DueJob, cause: unknown) => {
      if (cause instanceof Stopped) throw cause
      report(new Error(`Due work failed: ${job.name}`, { cause }))
    }
    const after = isWhole ? 0 : this.until
    const steps = stoppable(runner, stopping)
    const done = await runDueJobs({ runner: steps, jobs, until, failed, after, stopping })
    this.until = until
    return done
  }

  /**
   * Time of the clock in milliseconds; undefined while jobs are paused, or while another process advances
   * the clock.
   */
  private async now(): Promise<number | undefined> {
    const { runner, movable, paused } = this.options
    return await runner.read(async (work) =>
      (await paused(work)) || (await movable?.isAdvancing(work.tx)) ? undefined : work.milliseconds,
    )
  }
}

/** Error that ends a tick early; `tick` catches it. */
class Stopped extends EndedEarly {}

function stoppable({ read, write }: WorkRunner, stopping: AbortSignal | undefined): WorkRunner {
  return {
    read,
    write: async (work, as) => {
      if (stopping?.aborted) throw new Stopped()
      return await write(work, as)
    },
  }
}
