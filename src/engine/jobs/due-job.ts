import type { Occasion } from '../core/activity/occasion.js'
import type { Steps } from '../core/write/rule.js'
import type { Work } from '../core/write/work.js'

/** Runs reads and short units of work for work that takes several. */
export interface WorkRunner extends Pick<Steps, 'read'> {
  /** Runs one unit of work; its lines of activity name the job. */
  write<T>(work: (work: Work) => Promise<T>, as?: Pick<Occasion, 'job'>): Promise<T>
}

/** Runner whose units of work name a job. */
export function namedRunner({ read, write }: WorkRunner, job: string): WorkRunner {
  return { read, write: async (work) => await write(work, { job }) }
}

/**
 * Work that is due at a time, without a request: expiry, cut-off, billing. The remaining work is found in
 * the stored objects alone, regardless of when the job last ran. So no work is lost after a downtime or
 * done twice, even if several processes run the job.
 */
export interface DueJob {
  readonly name: string
  /**
   * Name of the outside party that the job waits for, such as a gateway. Jobs of one lane run one after
   * another, in parallel to other lanes. Omitted if the job waits for no one.
   */
  readonly lane?: string | undefined
  /**
   * First moment after `after` at which undone work is due, in milliseconds since 1970; undefined if there
   * is none. It may be long past. It must be one query that an index answers, because it runs every second.
   */
  next(work: Work, after: number): Promise<number | undefined>
  /**
   * Does all work due at `at` or earlier, in short units of work. Returns the number of changed objects.
   *
   * When catching up, `at` is earlier than the clock: `at` decides what is due, while changes are written
   * with the clock's time. Work due at `after` or earlier was just tried. A job may start there if no new
   * work can become due at such a time. If `stopping` is aborted, it stops waiting for outside parties.
   */
  run(runner: WorkRunner, at: number, after: number, stopping?: AbortSignal): Promise<number>
}

/** Result of a job's run for one moment. */
export interface JobRun {
  readonly job: string
  /** Moment for which the job ran, in milliseconds since 1970. */
  readonly at: number
  readonly count: number
}
