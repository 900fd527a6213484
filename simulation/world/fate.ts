import type { Clock } from '../../src/platform/clock.js'
import type { Random } from '../../src/platform/random.js'
import type { Chance } from '../../test/support/chance.js'

/** Thrown by every effect of a process that is gone, so that nothing it would still do happens. */
export class ProcessGone extends Error {
  constructor() {
    super('The process is gone')
    this.name = 'ProcessGone'
  }
}

/** Decides when the process dies: at a call of one of its effects, which lie before, between and inside its units of work. */
export class Fate {
  private left = Number.POSITIVE_INFINITY
  isGone = false

  /** Dies at the call after so many more. */
  doom(calls: number): void {
    this.left = calls
  }

  /** A new process, which lives. */
  spare(): void {
    this.left = Number.POSITIVE_INFINITY
    this.isGone = false
  }

  /** Each effect asks before it does anything. Throws `ProcessGone`. */
  pass(): void {
    if (!this.isGone && this.left-- > 0) return
    this.isGone = true
    throw new ProcessGone()
  }
}

/** Time that moves when it is told. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): void
  /** The same for whoever measures how long something takes: looking at it is no effect. */
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
