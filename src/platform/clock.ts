/** Where time comes from. Milliseconds since 1970, UTC. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds that nobody can set back, for measuring how much time has passed; since when is of no matter. */
export const stopwatch: Clock = { now: () => performance.now() }
