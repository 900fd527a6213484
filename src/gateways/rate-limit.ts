import type { NotSentOutcome } from './contract.js'

/** Maximal seconds of a pause after too many requests; `DEFAULT_SECONDS` is the pause if the processor names none. */
const MAX_SECONDS = 300
const DEFAULT_SECONDS = 1

/**
 * Outcome of a request that the processor refused with 429 (too many requests) and did not execute. `retryAfter` is the
 * `Retry-After` header: seconds, or a date. A date is compared with `now`, in milliseconds since 1970.
 */
export function rateLimited(retryAfter: string | undefined, now = Number.NaN): NotSentOutcome {
  return {
    result: 'not_sent',
    problem: 'The processor takes no more requests for now (429)',
    isReached: true,
    retryAfter: secondsIn(retryAfter?.trim() ?? '', now),
  }
}

function secondsIn(text: string, now: number): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isFinite(seconds)
    ? Math.min(Math.max(seconds, DEFAULT_SECONDS), MAX_SECONDS)
    : DEFAULT_SECONDS
}
