import type { Clock } from '../../src/platform/clock.js'
import type { Random } from '../../src/platform/random.js'
import type { Chance } from '../../test/support/chance.js'

/** Error thrown by every effect of a dead process, so that the process has no further effects. */
export class ProcessGone extends Error {
  constructor() {
    super('The process is gone')
    this.name = 'ProcessGone'
  }
}

/** Decides when the simulated process dies: at any call of an effect, before, between or inside units of work. */
export class Fate {
  private left = Number.POSITIVE_INFINITY
  isGone = false

  /** Lets the process die after this number of further calls. */
  doom(calls: number): void {
    this.left = calls
  }

  /** Revives the process, as a restart does. */
  spare(): void {
    this.left = Number.POSITIVE_INFINITY
    this.isGone = false
  }

  /** Called by each effect before it acts. Throws `ProcessGone` in a dead process. */
  pass(): void {
    if (!this.isGone && this.left-- > 0) return
    this.isGone = true
    throw new ProcessGone()
  }
}

/** A clock that is advanced explicitly. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): void
  /** Clock for measuring durations. Reading it is not an effect, so the process cannot die there. */
  readonly stopwatch: Clock
}

export function virtualClock(fate: Fate, start: number): VirtualClock {
  let now = start
  return {
    now() {
      fate.pass()
      return now
    },
    advance(milliseconds) {
      now += milliseconds
    },
    stopwatch: { now: () => now },
  }
}

export function seededRandom(fate: Fate, chance: Chance): Random {
  return {
    bytes(length) {
      fate.pass()
      return Uint8Array.from({ length }, () => chance.integer(0, 255))
    },
  }
}
