import { LRUCache } from 'lru-cache'
import type { Clock } from '../../platform/clock.js'

/** Milliseconds in which a caller may send as many requests as its limit. */
export const WINDOW = 60_000
/** Number of callers that are remembered; beyond this number, the caller with the oldest last request is forgotten. */
export const MAX_CALLERS = 10_000

/** Requests that a caller may still send. */
export interface Quota {
  /** Requests a minute. */
  readonly limit: number
  /** Requests that may come now, all at once. */
  readonly remaining: number
  /** Milliseconds until the whole limit is available again. */
  readonly reset: number
  /** Milliseconds until the next request may come; 0 if it may come now. */
  readonly wait: number
}

/**
 * The part of a limit that a caller has used at the time `at`. A request counts as `WINDOW` units, so `used` stays a
 * whole number.
 */
interface Usage {
  used: number
  at: number
}

/**
 * Counts the requests of each caller. The requests that are allowed per minute may come all at once; they become
 * available again evenly over a minute.
 */
export class Buckets {
  private readonly usages = new LRUCache<string, Usage>({ max: MAX_CALLERS })

  constructor(
    private readonly limit: number,
    private readonly clock: Clock,
  ) {}

  look(caller: string): Quota {
    return this.quotaAt(this.usageOf(caller)?.used ?? 0)
  }

  /** Counts one request if the caller has a request left; returns the quota after that request. */
  take(caller: string): Quota {
    const usage = this.usageOf(caller) ?? { used: 0, at: this.clock.now() }
    const quota = this.quotaAt(usage.used)
    if (quota.wait > 0) return quota
    usage.used += WINDOW
    this.usages.set(caller, usage)
    return { ...this.quotaAt(usage.used), wait: 0 }
  }

  /** The usage as of now. A clock that was set back makes no requests available. */
  private usageOf(caller: string): Usage | undefined {
    const usage = this.usages.peek(caller)
    if (!usage) return undefined
    const now = this.clock.now()
    usage.used = Math.max(0, usage.used - Math.max(0, now - usage.at) * this.limit)
    usage.at = now
    return usage
  }

  private quotaAt(used: number): Quota {
    const { limit } = this
    const free = limit * WINDOW - used
    return {
      limit,
      remaining: Math.floor(free / WINDOW),
      reset: Math.ceil(used / limit),
      wait: Math.ceil(Math.max(0, WINDOW - free) / limit),
    }
  }
}
