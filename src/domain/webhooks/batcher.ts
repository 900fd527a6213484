import type { Timers } from '../../platform/clock.js'

/** Maximum number of items in a batch. */
const BATCH_SIZE = 500
/** Milliseconds for which items are collected. */
const BATCH_MILLISECONDS = 200

interface BatcherOptions<T> {
  readonly timers: Timers
  write(batch: readonly T[]): Promise<void>
  /** Whether no further item is to be expected. A batch is then written immediately. */
  isLast(): boolean
  /** Called after each batch, whether its write succeeded or failed. */
  onWritten(): void
}

/** Collects items for a short while and writes them in batches, one at a time, so that many share a commit. */
export class Batcher<T> {
  private collected: T[] = []
  private isWriting = false
  /** Cancels the timer that ends the collecting; undefined while no timer runs. */
  private cancelTimer: (() => void) | undefined
  /** Errors of writes, in the order of the batches. */
  readonly failures: unknown[] = []

  constructor(private readonly options: BatcherOptions<T>) {}

  /** Whether no item waits for its write to end. */
  get isEmpty(): boolean {
    return this.collected.length === 0 && !this.isWriting
  }

  add(item: T): void {
    this.collected.push(item)
  }

  /** Writes a batch now if it is full or the last one; otherwise after a while. */
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

  /** Writes a batch now, unless another one is being written. Never rejects: an error drops all items. */
  async flush(): Promise<void> {
    if (this.isWriting || this.collected.length === 0) return
    this.isWriting = true
    this.cancelTimer?.()
    this.cancelTimer = undefined
    try {
      await this.options.write(this.collected.splice(0, BATCH_SIZE))
    } catch (error) {
      this.collected = []
      this.failures.push(error)
    }
    this.isWriting = false
    this.schedule()
    this.options.onWritten()
  }
}
