import process from 'node:process'

/** Source of time, in milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Monotonic clock in milliseconds, for measuring durations; its origin is arbitrary. `performance` is
 * avoided, because loading it takes a command 2 % of Node's own start.
 */
export const stopwatch: Clock = {
  now() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1_000_000
  },
}

/** Runs functions later. */
export interface Timers {
  /** Calls `then` once after a number of milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, then: () => void): () => void
}

/** Timers of the system. They do not keep the process alive. */
export const systemTimers: Timers = {
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
