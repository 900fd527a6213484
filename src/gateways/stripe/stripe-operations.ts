import type { Stripe } from 'stripe'
import type { Credentials, Rail } from '../contract.js'
import { expectObject } from './expect-object.js'
import { isForeign } from './stripe-foreign.js'
import { paymentAsIs, refundAsIs } from './stripe-notices.js'
import { isReleaseOfPart } from './stripe-release.js'
import { advancing } from './stripe-settlements.js'

const PAGE = 100

/**
 * Current state of every payment and refund since a time (milliseconds since 1970), including those that others made.
 */
export function stripeOperations(
  clientOf: (credentials: Credentials) => Stripe,
): NonNullable<Rail['operations']> {
  return async function* operations(since, credentials) {
    const stripe = clientOf(credentials)
    const created = { gte: Math.floor(since / 1000) }
    const payments = stripe.paymentIntents.list({ created, limit: PAGE, expand: ['data.latest_charge'] })
    for await (const listed of advancing(payments))
      if (!isForeign(listed)) yield paymentAsIs(expectObject(listed, 'payment_intent'))
    const refunds = stripe.refunds.list({ created, limit: PAGE, expand: ['data.balance_transaction'] })
    for await (const listed of advancing(refunds))
      if (!isForeign(listed) && !isReleaseOfPart(listed)) yield refundAsIs(expectObject(listed, 'refund'))
  }
}
