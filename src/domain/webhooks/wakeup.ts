import type { Timers } from '../../platform/clock.js'

/** Lets a loop wait for an interval, or until `wake` is called. */
export class Wakeup {
  private wakeUp: () => void = () => undefined

  constructor(
    private readonly timers: Timers,
    /** Milliseconds. */
    private readonly interval: number,
  ) {}

  /**
   * Starts a wait, which ends at the next `wake` or after the interval. A loop starts it before its work and awaits it
   * afterwards, so that a `wake` during the work counts. An earlier wait ends at once.
   */
  next(): Promise<void> {
    this.wake()
    return new Promise((resolve) => {
      const cancel = this.timers.after(this.interval, resolve)
      this.wakeUp = () => {
        cancel()
        resolve()
      }
    })
  }

  wake(): void {
    this.wakeUp()
  }
}
