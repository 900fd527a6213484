import process from 'node:process'

/** Source of time. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Monotonic milliseconds, for measuring how much time has passed; their origin is arbitrary. `performance` would be loaded for it,
 * which takes a command a fiftieth of Node's own start.
 */
export const stopwatch: Clock = {
  now() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1_000_000
  },
}

/** Runs functions later. */
export interface Timers {
  /** Calls `then` once after a number of milliseconds; returns a function that cancels it. */
  after(milliseconds: number, then: () => void): () => void
}

/** Does not keep the process alive. */
export const systemTimers: Timers = {
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
