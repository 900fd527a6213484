import { addDays, daysBetween } from '../../../platform/calendar/date.js'
import type { Minor } from '../../../schema/money.js'

/** A declined automatic payment is tried again on each of so many days after the first. */
const RETRY_DAYS = 5

/** The method will not do, however often it is tried. Money: "Billing schedules". */
const HARD_DECLINES: ReadonlySet<string> = new Set([
  'card_expired',
  'invalid_card_code',
  'invalid_card_number',
  'invalid_zip',
  'suspicious_activity',
])

/** An attempt to collect an invoice. */
export interface Attempt {
  /** Its day in the organization's time zone. */
  readonly date: string
  readonly outcome: 'failed' | 'paid'
  /** Of a decline. */
  readonly statusCode: string | null
}

/** An invoice of a schedule, as collecting it sees it on a day. */
export interface Collectable {
  readonly today: string
  readonly dueDate: string | null
  readonly amountDue: Minor
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  /** Whether a payment of it, by whomever, has no outcome yet. */
  readonly isOpen: boolean
  /** Whether its customer has a default payment method that may be charged. */
  readonly hasMethod: boolean
}

export type CollectionStep =
  | { readonly kind: 'charge'; readonly amount: Minor }
  /** Nothing is done before that day. */
  | { readonly kind: 'wait'; readonly until: string }
  | { readonly kind: 'stop' }

/** What is done about an invoice that may be collected. Money: "Billing schedules". */
export function nextStep(invoice: Collectable): CollectionStep {
  const { today, dueDate, amountDue, attempts, isOpen } = invoice
  if (amountDue <= 0 || dueDate === null) return stop
  if (dueDate > today) return { kind: 'wait', until: dueDate }
  if (isOpen) return { kind: 'wait', until: addDays(today, 1) }
  const [first, last] = [attempts[0], attempts.at(-1)]
  if (!first || !last) return chargeOr(invoice, daysBetween(dueDate, today) < RETRY_DAYS)
  if (isOver(last) || daysBetween(first.date, last.date) >= RETRY_DAYS) return stop
  if (last.date >= today) return { kind: 'wait', until: addDays(last.date, 1) }
  return daysBetween(first.date, today) > RETRY_DAYS ? stop : chargeOr(invoice, true)
}

/** Nobody waits for ever until a customer has a method; a downtime only moves the days of those who have one. */
function chargeOr({ hasMethod, amountDue: amount, today }: Collectable, waits: boolean): CollectionStep {
  if (hasMethod) return { kind: 'charge', amount }
  return waits ? { kind: 'wait', until: addDays(today, 1) } : stop
}

/** What was collected and is due again (a refund, a bank return) is for people to look at. */
function isOver({ outcome, statusCode }: Attempt): boolean {
  return outcome === 'paid' || HARD_DECLINES.has(statusCode ?? '')
}

const stop: CollectionStep = { kind: 'stop' }
