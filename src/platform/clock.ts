/** Where time comes from. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Monotonic milliseconds, for measuring how much time has passed; their origin is arbitrary. */
export const stopwatch: Clock = { now: () => performance.now() }

/** What lets something happen later. */
export interface Timers {
  /** Calls back after so many milliseconds, once; answers how to call that off. */
  after(milliseconds: number, then: () => void): () => void
}

/** These keep no process alive. */
export const systemTimers: Timers = {
  after(milliseconds, then) {
    const timer = setTimeout(then, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
