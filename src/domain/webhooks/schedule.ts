const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after each attempt that failed the next one is made. Money: "Webhooks". */
const PAUSES = [
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

/** Pauses are longer by up to this part of them, so that receivers that were down are not met by all at once. */
const JITTER = 0.1
/** A receiver that asks for more than this is asked again after it. */
const LONGEST_WISH = 24 * HOUR

export interface Failure {
  /** How many attempts there were, this one included. */
  readonly attempts: number
  /** The header `Retry-After` of the answer. */
  readonly retryAfter: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** From 0 to below 1. */
  readonly chance: number
}

/** When the next attempt is due, in milliseconds since 1970; nothing when all were made. */
export function nextAttempt({ attempts, retryAfter, now, chance }: Failure): number | undefined {
  const pause = PAUSES[attempts - 1]
  if (pause === undefined) return undefined
  const wish = Math.min(wishOf(retryAfter, now), LONGEST_WISH)
  return now + Math.ceil(Math.max(pause * (1 + JITTER * chance), wish))
}

/** The milliseconds that a receiver asks for: given in seconds, or as a date. 0 when it does not, or not clearly. */
function wishOf(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const text = retryAfter.trim()
  if (/^\d+$/.test(text)) return Number(text) * SECOND
  const date = /^[A-Z][a-z]{2},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0)
}
