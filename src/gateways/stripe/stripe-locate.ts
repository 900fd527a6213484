import type { Stripe } from 'stripe'
import type { Located, SentOperation } from '../contract.js'
import { expectObject } from './expect-object.js'

/** Maximal seconds between Stripe's clock and ours. */
export const CLOCKS_APART = 300
/** Seconds after which a request can no longer arrive. */
export const LATEST_ARRIVAL = 3600
/** Maximal entries in a page of Stripe's lists. */
export const LONGEST_PAGE = 100
/**
 * Maximal payments that are read to search one span of time. If the list is longer, a payment that was not
 * found is `cannot_say`.
 */
export const MAX_LISTED = 100_000

/**
 * Finds payments by their references in Stripe's list of payments of that time, which is read once for all. Stripe's
 * search is not used, because it lags. The idempotency key is not used, because Stripe may have forgotten it and would
 * start another payment.
 */
export async function locatePayments(
  stripe: Stripe,
  sent: readonly SentOperation[],
): Promise<ReadonlyMap<string, Located>> {
  const located = new Map<string, Located>()
  for (const span of spansOf(sent))
    for (const [reference, where] of await locateIn(stripe, span)) located.set(reference, where)
  return located
}

/** A span of time (seconds since 1970), and the references of payments that were made in it. */
interface Span {
  readonly from: number
  to: number
  readonly references: string[]
}

/** Spans of time in which the payments may have been made; overlapping spans are joined. */
function spansOf(sent: readonly SentOperation[]): readonly Span[] {
  const spans: Span[] = []
  for (const { operation, since } of sent.toSorted((one, other) => one.since - other.since)) {
    const from = Math.floor(since / 1000) - CLOCKS_APART
    const to = Math.floor(since / 1000) + LATEST_ARRIVAL
    const before = spans.at(-1)
    if (before && from <= before.to) {
      before.to = to
      before.references.push(operation.reference)
    } else spans.push({ from, to, references: [operation.reference] })
  }
  return spans
}

/**
 * Reads the payments of a span, newest first, until all references are found. If the list is not read to its end, the
 * rest is `cannot_say`.
 */
async function locateIn(
  stripe: Stripe,
  { from, to, references }: Span,
): Promise<ReadonlyMap<string, Located>> {
  const open = new Set(references)
  const located = new Map<string, Located>()
  let count = 0
  for await (const each of stripe.paymentIntents.list({
    created: { gte: from, lte: to },
    limit: LONGEST_PAGE,
  })) {
    const reference = expectObject(each, 'payment_intent').metadata['reference'] ?? ''
    if (open.delete(reference)) located.set(reference, { gatewayId: each.id })
    count += 1
    if (open.size === 0 || count >= MAX_LISTED) break
  }
  for (const reference of open) located.set(reference, count >= MAX_LISTED ? 'cannot_say' : 'never_seen')
  return located
}
