import type { Occasion } from '../core/activity/occasion.js'
import type { Steps } from '../core/write/rule.js'
import type { Work } from '../core/write/work.js'

/** Runs reads and short units of work, for what takes several. */
export interface WorkRunner extends Pick<Steps, 'read'> {
  /** One unit of work; its lines of activity name the job. */
  write<T>(work: (work: Work) => Promise<T>, as?: Pick<Occasion, 'job'>): Promise<T>
}

/** A runner whose units of work are those of a job. */
export function namedRunner({ read, write }: WorkRunner, job: string): WorkRunner {
  return { read, write: async (work) => await write(work, { job }) }
}

/**
 * Work that is due at a time, without a request: expiry, cut-off, billing. What is left to do follows from the stored
 * objects alone, never from when the job last ran. So nothing is forgotten after a downtime, and nothing is done twice,
 * however often and by however many processes it runs.
 */
export interface DueJob {
  readonly name: string
  /**
   * Name of what outside of this process the job waits for. Jobs of one lane run one after another, beside the other
   * lanes and beside those without one. Omitted where a job waits for nobody.
   */
  readonly lane?: string | undefined
  /**
   * The first moment after `after` (milliseconds since 1970) at which something not yet done is due; undefined when
   * there is none. It may have passed long ago. One query that an index answers: it runs every second.
   */
  next(work: Work, after: number): Promise<number | undefined>
  /**
   * Does everything due at `at` or before, in short units of work; answers how many objects it changed. When catching
   * up, `at` is earlier than the clock: it decides what is due, the clock what is written as the time of a change. What
   * was due at `after` or before was tried just now; a job to which nothing can become due so late may begin there.
   * When `stopping` is aborted, it waits for nobody any more.
   */
  run(runner: WorkRunner, at: number, after: number, stopping?: AbortSignal): Promise<number>
}

/** What was done: by which job, for which moment, to how many objects. */
export interface JobRun {
  readonly job: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly count: number
}
