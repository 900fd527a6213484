import type { OutgoingResponse } from '../../platform/network/outgoing.js'

/** Outcome of a delivery after an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  /** The receiver is gone for good: its webhook is disabled. */
  | { readonly kind: 'gone' }
  /** The next attempt is due at this time (milliseconds since 1970). */
  | { readonly kind: 'failed'; readonly dueAt: number }
  /** All attempts of the schedule have failed. */
  | { readonly kind: 'given_up' }

interface AttemptMade {
  /** Number of attempts that the schedule counts, this one included. */
  readonly attempts: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** Random number, from 0 to below 1. */
  readonly chance: number
}

/**
 * Decides the outcome by the status of the answer. With 2xx the event is delivered. With 410 the webhook is disabled.
 * After any other status (a redirect, too) another attempt is due.
 */
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

/** Milliseconds between each failed attempt and the next one. See docs/interface.md, "Webhooks". */
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

/**
 * Largest share by which a wait is lengthened at random. A receiver that was down then gets the waiting deliveries one
 * after another.
 */
const JITTER = 0.1
/** Longest wait that a receiver can request, in milliseconds. */
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

/**
 * The wait that a receiver requests, in seconds or as a date, as milliseconds; 0 if the header is missing or cannot be
 * read.
 */
function retryAfterOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0)
}
