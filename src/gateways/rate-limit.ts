import type { NotSentOutcome } from './contract.js'

/** The longest time for which a processor is left alone, in seconds, and the time without a word of it. */
const MAX_SECONDS = 300
const DEFAULT_SECONDS = 1

/**
 * Outcome of a request that the processor refuses because there are too many: it was not begun. `retryAfter` is the
 * header of that name: seconds, or a date, which needs `now` (milliseconds since 1970).
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
