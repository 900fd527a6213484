import { stopwatch, systemTimers, type Timers } from '../../../platform/clock.js'

/** A semaphore: a number of places that are taken in the order of requests. */
export class Semaphore {
  private readonly waiting: (() => void)[] = []

  constructor(
    private free: number,
    private readonly timers: Timers = systemTimers,
  ) {}

  /** Takes a place as soon as one is free; resolves to false if none was free for so many milliseconds. */
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

  /** Gives a place back, to the request that has waited longest. */
  give(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}

/** How much is left of a number of milliseconds that begin now; never less than one. */
export function countdown(milliseconds: number, clock = stopwatch): () => number {
  const end = clock.now() + milliseconds
  return () => Math.max(Math.ceil(end - clock.now()), 1)
}
