import { addDays, daysBetween } from '../../../platform/calendar/date.js'
import type { Minor } from '../../../schema/money.js'

/** A failed automatic payment is retried daily for this many days after the first attempt. */
const RETRY_DAYS = 5
/** Number of times that the bank network allows a returned debit to be presented again. */
const PRESENTED_AGAIN = 2
/** Days after the first returned attempt in which the bank network allows a debit to be presented again. */
const PRESENTING_DAYS = 180

/** An attempt to collect an invoice. */
export interface Attempt {
  /** The day in the organization's time zone. */
  readonly date: string
  /** `unsent`: the attempt never reached a gateway, and does not count. */
  readonly outcome: 'failed' | 'paid' | 'unsent'
  /** Whether a person requested the attempt, in addition to the daily automatic ones. */
  readonly isRequested: boolean
  /** Whether the attempt was made before automatic attempts were last restarted. */
  readonly isEarlier: boolean
}

/** Facts that decide whether an invoice is charged on a day. */
export interface Collectable {
  readonly today: string
  readonly dueDate: string | null
  /**
   * Day on which a person resumed automatic payments, or on which the bank's return of a payment restarted them; null
   * if neither happened.
   */
  readonly since: string | null
  readonly amountDue: Minor
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  /** Whether a person stopped the automatic payments of the invoice, or its schedule no longer bills. */
  readonly isStopped: boolean
  /** Whether any payment of the invoice is pending. */
  readonly isOpen: boolean
  /** Whether the customer has a default payment method that may be charged for this invoice. */
  readonly hasMethod: boolean
}

export type CollectionStep =
  | { readonly kind: 'charge'; readonly amount: Minor }
  /** No attempt is made before this day. */
  | { readonly kind: 'wait'; readonly until: string }
  | { readonly kind: 'stop' }

/** Decides whether an invoice is charged today, later or not at all. See docs/money.md, "Billing schedules". */
export function nextStep(invoice: Collectable): CollectionStep {
  const { today, dueDate, amountDue, isStopped, isOpen } = invoice
  if (isStopped || amountDue <= 0 || dueDate === null) return stop
  if (dueDate > today) return { kind: 'wait', until: dueDate }
  if (isOpen) return { kind: 'wait', until: addDays(today, 1) }
  return stepOfDay(invoice, dueDate)
}

/** Decides the step for an invoice that is due and has no open payment, from the attempts so far. */
function stepOfDay(
  { today, since, amountDue, attempts, hasMethod }: Collectable,
  due: string,
): CollectionStep {
  const recent = attempts.filter(({ isEarlier, outcome }) => !isEarlier && outcome !== 'unsent')
  // An invoice that was paid and is due again, as after a refund, is not collected automatically: a person decides.
  if (recent.at(-1)?.outcome === 'paid') return stop
  const daily = recent.filter(({ isRequested }) => !isRequested)
  const first = daily[0]?.date
  const last = daily.at(-1)?.date
  if (first && last && daysBetween(first, last) >= RETRY_DAYS) return stop
  const latest = attempts.at(-1)
  if (latest && latest.date >= today) return { kind: 'wait', until: addDays(latest.date, 1) }
  const left = RETRY_DAYS - daysBetween(first ?? (since !== null && since > due ? since : due), today)
  if (first && left < 0) return stop
  // With a method, the first attempt is made however late it is, as after a downtime. Without a method, the invoice
  // waits for at most `RETRY_DAYS`.
  if (hasMethod) return { kind: 'charge', amount: amountDue }
  return left > 0 ? { kind: 'wait', until: addDays(today, 1) } : stop
}

const stop: CollectionStep = { kind: 'stop' }

/**
 * Whether the bank network allows another debit of a bank account. `returned` has the days of attempts that its bank
 * returned, oldest first.
 */
export function mayPresent(returned: readonly string[], today: string): boolean {
  const [first] = returned
  if (first === undefined) return true
  return returned.length <= PRESENTED_AGAIN && daysBetween(first, today) <= PRESENTING_DAYS
}
