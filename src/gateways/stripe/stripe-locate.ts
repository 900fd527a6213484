import type { Stripe } from 'stripe'
import type { Located, SentOperation } from '../contract.js'
import { expectObject } from './expect-object.js'

/** Seconds by which Stripe's clock and ours may differ. */
export const CLOCKS_APART = 300
/** Seconds after which a request can no longer arrive. */
export const LATEST_ARRIVAL = 3600
/** The longest page there is. */
export const LONGEST_PAGE = 100
/** Payments that a search of a span of time reads at most; a merchant who takes more has to wait. */
export const MAX_LISTED = 100_000

/**
 * Finds payments by their references, in the list of those made about then, which is read once for all. Stripe's
 * search lags. A used key may be forgotten, and would start another payment.
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

/** A time in which payments were made that are looked for, in seconds since 1970. */
interface Span {
  readonly from: number
  to: number
  readonly references: string[]
}

/** Spans of time in which payments may have been made; overlapping ones are joined. */
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

/** Reads newest first until all are found. A list that is not read to its end proves no absence. */
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
