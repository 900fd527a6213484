import type { Timers } from '../../src/platform/clock.js'

/** Timers that a test controls. */
export interface HandTimers extends Timers {
  /** Milliseconds until each timer fires, in the order in which they were set. */
  readonly waiting: readonly number[]
  /** Lets time pass: due timers fire, but not timers that they set. */
  pass(milliseconds: number): void
}

export function handTimers(): HandTimers {
  let waits: { left: number; then: () => void }[] = []
  return {
    get waiting() {
      return waits.map(({ left }) => left)
    },
    after(milliseconds, then) {
      const wait = { left: milliseconds, then }
      waits.push(wait)
      return () => {
        waits = waits.filter((other) => other !== wait)
      }
    },
    pass(milliseconds) {
      for (const wait of waits) wait.left -= milliseconds
      const over = waits.filter(({ left }) => left <= 0)
      waits = waits.filter(({ left }) => left > 0)
      for (const { then } of over) then()
    },
  }
}
