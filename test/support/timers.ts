import type { Timers } from '../../src/platform/clock.js'

/** Timers that a test turns by hand. */
export interface HandTimers extends Timers {
  /** The milliseconds that are waited for, in the order in which they were asked for. */
  readonly waiting: readonly number[]
  /** Lets the time pass: what was waited for by then is called, and what that asks for in turn is not. */
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
