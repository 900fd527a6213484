import type { OutgoingResponse } from '../../platform/network/outgoing.js'

/** Outcome of a delivery after an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  /** The receiver is gone for good: its webhook is disabled. */
  | { readonly kind: 'gone' }
  /** The next attempt is due at this time (milliseconds since 1970). */
  | { readonly kind: 'failed'; readonly dueAt: number }
  /** The schedule is over. */
  | { readonly kind: 'given_up' }

interface AttemptMade {
  /** Number of attempts that the schedule counts, this one included. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** Random number, from 0 to below 1. */
  readonly chance: number
}

/** Decides by the answer: 2xx is success, 410 the end, and any other (a redirect too) is tried again. */
export function deliveryOutcome(
  { status, retryAfter }: OutgoingResponse,
  made: AttemptMade,
): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const dueAt = nextAttempt({ ...made, retryAfter })
  return dueAt === undefined ? { kind: 'given_up' } : { kind: 'failed', dueAt }
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds between each failed attempt and the next one. Money: "Webhooks". */
const BACKOFF = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** Share by which waits are longer at most, so that a receiver that was down does not get all deliveries at once. */
const JITTER = 0.1
/** Milliseconds after which a receiver that requests a longer wait is tried again. */
const MAX_RETRY_AFTER = 24 * HOUR

export interface FailedAttempt extends AttemptMade {
  /** The header `Retry-After` of the answer. */
  readonly retryAfter: string | undefined
}

/** Time of the next attempt, in milliseconds since 1970; undefined when all were made. */
export function nextAttempt({ attempts, retryAfter, now, chance }: FailedAttempt): number | undefined {
  const pause = BACKOFF[attempts - 1]
  if (pause === undefined) return undefined
  const requested = Math.min(retryAfterOf(retryAfter, now), MAX_RETRY_AFTER)
  return now + Math.ceil(Math.max(pause * (1 + JITTER * chance), requested))
}

/** The milliseconds that a receiver requests, in seconds or as a date; 0 when it does not, or not clearly. */
function retryAfterOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0)
}
