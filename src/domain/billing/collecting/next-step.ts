import { addDays, daysBetween } from '../../../platform/calendar/date.js'
import type { Minor } from '../../../schema/money.js'

/** A declined automatic payment is retried daily for this many days after the first attempt. */
const RETRY_DAYS = 5

/** Declines after which a retry with the same method cannot succeed. Money: "Billing schedules". */
const HARD_DECLINES: ReadonlySet<string> = new Set([
  'card_expired',
  'invalid_card_code',
  'invalid_card_number',
  'invalid_zip',
  'suspicious_activity',
])

/** An attempt to collect an invoice. */
export interface Attempt {
  /** The day in the organization's time zone. */
  readonly date: string
  readonly outcome: 'failed' | 'paid'
  /** The reason of a decline. */
  readonly statusCode: string | null
}

/** Facts that decide how an invoice is collected on a day. */
export interface Collectable {
  readonly today: string
  readonly dueDate: string | null
  readonly amountDue: Minor
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  /** Whether any payment of the invoice is pending. */
  readonly isOpen: boolean
  /** Whether its customer has a default payment method that may be charged. */
  readonly hasMethod: boolean
}

export type CollectionStep =
  | { readonly kind: 'charge'; readonly amount: Minor }
  /** No attempt is made before this day. */
  | { readonly kind: 'wait'; readonly until: string }
  | { readonly kind: 'stop' }

/** Decides whether an invoice is charged today, later or not at all. Money: "Billing schedules". */
export function nextStep(invoice: Collectable): CollectionStep {
  const { today, dueDate, amountDue, attempts, isOpen } = invoice
  if (amountDue <= 0 || dueDate === null) return stop
  if (dueDate > today) return { kind: 'wait', until: dueDate }
  if (isOpen) return { kind: 'wait', until: addDays(today, 1) }
  const first = attempts[0]
  const last = attempts.at(-1)
  if (!first || !last) return chargeOr(invoice, daysBetween(dueDate, today) < RETRY_DAYS)
  if (isOver(last) || daysBetween(first.date, last.date) >= RETRY_DAYS) return stop
  if (last.date >= today) return { kind: 'wait', until: addDays(last.date, 1) }
  return daysBetween(first.date, today) > RETRY_DAYS ? stop : chargeOr(invoice, true)
}

/**
 * An invoice waits for a payment method only as long as it could be retried. One with a method is charged even later,
 * as after a downtime.
 */
function chargeOr({ hasMethod, amountDue: amount, today }: Collectable, mayWait: boolean): CollectionStep {
  if (hasMethod) return { kind: 'charge', amount }
  return mayWait ? { kind: 'wait', until: addDays(today, 1) } : stop
}

/** An invoice that was paid and is due again (after a refund or a bank return) is left to people. */
function isOver({ outcome, statusCode }: Attempt): boolean {
  return outcome === 'paid' || HARD_DECLINES.has(statusCode ?? '')
}

const stop: CollectionStep = { kind: 'stop' }
