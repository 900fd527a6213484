import type { OutgoingResponse } from '../../platform/network/outgoing.js'
import { nextAttempt } from './schedule.js'

/** What becomes of a delivery after an attempt. */
export type Outcome =
  | { readonly kind: 'delivered' }
  /** The receiver is gone for good: its webhook is disabled. */
  | { readonly kind: 'gone' }
  /** To be tried again at this time (milliseconds since 1970). */
  | { readonly kind: 'failed'; readonly dueAt: number }
  /** The schedule is over. */
  | { readonly kind: 'given_up' }

interface Made {
  /** Attempts that the schedule counts, this one included. */
  readonly attempts: number
  readonly now: number
  /** From 0 to below 1. */
  readonly chance: number
}

/** Decides by the answer: 2xx is success, 410 the end, and anything else (a redirect too) is tried again. */
export function decide({ status, retryAfter }: OutgoingResponse, made: Made): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const dueAt = nextAttempt({ ...made, retryAfter })
  return dueAt === undefined ? { kind: 'given_up' } : { kind: 'failed', dueAt }
}
