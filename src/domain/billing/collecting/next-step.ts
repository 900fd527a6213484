import { addDays, daysBetween } from '../../../platform/calendar/date.js'
import type { Minor } from '../../../schema/money.js'

/** A failed automatic payment is retried daily for this many days after the first attempt. */
const RETRY_DAYS = 5
/** The network of bank debits lets a returned one be presented again this often ... */
const PRESENTED_AGAIN = 2
/** ... within this many days. */
const PRESENTING_DAYS = 180

/** An attempt to collect an invoice. */
export interface Attempt {
  /** The day in the organization's time zone. */
  readonly date: string
  /** `unsent`: it never reached a gateway, and does not count. */
  readonly outcome: 'failed' | 'paid' | 'unsent'
  /** Whether a person requested it, beside the attempts of each day. */
  readonly isRequested: boolean
  /** Whether it was made before collecting began anew. */
  readonly isEarlier: boolean
}

/** Facts that decide how an invoice is collected on a day. */
export interface Collectable {
  readonly today: string
  readonly dueDate: string | null
  /** Day on which people resumed collecting, or a bank returned a payment. */
  readonly since: string | null
  readonly amountDue: Minor
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  /** Whether people stopped it, or its schedule bills no more. */
  readonly isStopped: boolean
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
  const { today, dueDate, amountDue, isStopped, isOpen } = invoice
  if (isStopped || amountDue <= 0 || dueDate === null) return stop
  if (dueDate > today) return { kind: 'wait', until: dueDate }
  if (isOpen) return { kind: 'wait', until: addDays(today, 1) }
  return stepOfDay(invoice, dueDate)
}

/** The step for an invoice that is due, by the attempts of the days before. */
function stepOfDay(
  { today, since, amountDue, attempts, hasMethod }: Collectable,
  due: string,
): CollectionStep {
  const recent = attempts.filter(({ isEarlier, outcome }) => !isEarlier && outcome !== 'unsent')
  // An invoice that was paid and is due again, as after a refund, is left to people.
  if (recent.at(-1)?.outcome === 'paid') return stop
  const daily = recent.filter(({ isRequested }) => !isRequested)
  const first = daily[0]?.date
  const last = daily.at(-1)?.date
  if (first && last && daysBetween(first, last) >= RETRY_DAYS) return stop
  const latest = attempts.at(-1)
  if (latest && latest.date >= today) return { kind: 'wait', until: addDays(latest.date, 1) }
  const left = RETRY_DAYS - daysBetween(first ?? (since !== null && since > due ? since : due), today)
  if (first && left < 0) return stop
  // After a downtime the first attempt is made even later; without a method it waits only for these days.
  if (hasMethod) return { kind: 'charge', amount: amountDue }
  return left > 0 ? { kind: 'wait', until: addDays(today, 1) } : stop
}

const stop: CollectionStep = { kind: 'stop' }

/** Whether a debit may be presented to a bank account that returned earlier ones on these days. */
export function mayPresent(returned: readonly string[], today: string): boolean {
  const [first] = returned
  if (first === undefined) return true
  return returned.length <= PRESENTED_AGAIN && daysBetween(first, today) <= PRESENTING_DAYS
}
