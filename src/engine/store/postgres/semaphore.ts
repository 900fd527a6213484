import { stopwatch, systemTimers, type Timers } from '../../../platform/clock.js'

/** Semaphore: a number of places that are taken in the order of requests. */
export class Semaphore {
  private readonly waiting: (() => void)[] = []

  constructor(
    private free: number,
    private readonly timers: Timers = systemTimers,
  ) {}

  /**
   * Takes a place as soon as one is free. Resolves to false if no place became free within the given
   * milliseconds.
   */
  async take(milliseconds: number): Promise<boolean> {
    if (this.free > 0) {
      this.free--
      return true
    }
    return await new Promise((resolve) => {
      const taken = () => {
        cancel()
        resolve(true)
      }
      const cancel = this.timers.after(milliseconds, () => {
        const index = this.waiting.indexOf(taken)
        if (index < 0) return
        this.waiting.splice(index, 1)
        resolve(false)
      })
      this.waiting.push(taken)
    })
  }

  /** Returns a place to the request that has waited longest. */
  give(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}

/** Function that returns the milliseconds left of a period that begins now; never less than 1. */
export function countdown(milliseconds: number, clock = stopwatch): () => number {
  const end = clock.now() + milliseconds
  return () => Math.max(Math.ceil(end - clock.now()), 1)
}
