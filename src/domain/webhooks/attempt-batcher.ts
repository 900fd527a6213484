import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { Timers } from '../../platform/clock.js'
import { type AttemptRecord, recordAttempts } from './record-attempts.js'

/** Attempts recorded in one unit of work. */
const BATCH_SIZE = 500
/** Milliseconds for which attempts are collected. */
const BATCH_MILLISECONDS = 200

interface BatcherOptions {
  readonly runner: WorkRunner
  readonly timers: Timers
  /** Whether no attempt is under way: a batch is then written at once. */
  readonly isLast: () => boolean
  /** Called after each batch, whether its write succeeded or failed. */
  readonly onWritten: () => void
}

/** Collects attempts for a short while and records them in batches, so that many share a commit. */
export class AttemptBatcher {
  private collected: AttemptRecord[] = []
  private isWriting = false
  /** Cancels the timer that ends the collecting; undefined while no timer runs. */
  private cancelTimer: (() => void) | undefined
  /** Errors of batches that were not recorded, in the order of the batches. */
  readonly failures: unknown[] = []

  constructor(private readonly options: BatcherOptions) {}

  /** Whether every attempt was written. */
  get isEmpty(): boolean {
    return this.collected.length === 0 && !this.isWriting
  }

  add(attempt: AttemptRecord): void {
    this.collected.push(attempt)
  }

  /** Writes a batch if it is full or the last one; otherwise soon. */
  schedule(): void {
    if (this.collected.length >= BATCH_SIZE || this.options.isLast()) {
      void this.flush()
    } else if (this.collected.length > 0) {
      this.cancelTimer ??= this.options.timers.after(BATCH_MILLISECONDS, () => {
        this.cancelTimer = undefined
        void this.flush()
      })
    }
  }

  /** Writes a batch now, unless another one is being written. Never rejects: an error goes to `failures`. */
  async flush(): Promise<void> {
    if (this.isWriting || this.collected.length === 0) return
    this.isWriting = true
    this.cancelTimer?.()
    this.cancelTimer = undefined
    const batch = this.collected.splice(0, BATCH_SIZE)
    try {
      await this.options.runner.write(async (work) => await recordAttempts(work, batch))
    } catch (error) {
      // Unrecorded deliveries are sent again when their leases end; a receiver recognizes them by their ids.
      this.collected = []
      this.failures.push(error)
    }
    this.isWriting = false
    this.schedule()
    this.options.onWritten()
  }
}
