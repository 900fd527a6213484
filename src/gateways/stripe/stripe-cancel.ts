import type { Stripe } from 'stripe'
import type { FoundOutcome, GatewayOperation, SentAt } from '../contract.js'
import { readingFailure } from './stripe-failure.js'
import { locatedPayment, paymentWithId } from './stripe-find.js'
import { declinedPayment, paymentOutcome } from './stripe-outcome.js'

/** States in which a payer may still complete a payment. */
const OPEN: readonly string[] = ['requires_action', 'requires_confirmation', 'requires_payment_method']

/**
 * Cancels a payment whose payer has not completed it. One in any other state keeps it and answers its outcome, and so
 * does one that the payer completes in this very moment.
 */
export async function cancelPayment(
  stripe: Stripe,
  operation: GatewayOperation,
  sent: SentAt,
): Promise<FoundOutcome> {
  try {
    const located = await locatedPayment(stripe, operation, sent)
    if (typeof located === 'string') return located
    const before = await paymentWithId(stripe, located.gatewayId)
    if (!OPEN.includes(before.status)) return paymentOutcome(before)
    // Without a key: a repeated cancel has no effect, and a stored refusal would be answered for a day.
    await stripe.paymentIntents.cancel(before.id, { cancellation_reason: 'abandoned' }).catch(() => undefined)
    const after = await paymentWithId(stripe, before.id)
    // Its payer could complete it still: it is cancelled another time.
    if (OPEN.includes(after.status)) return 'cannot_say'
    return after.status === 'canceled' && before.last_payment_error !== null
      ? declinedPayment(before)
      : paymentOutcome(after)
  } catch (error) {
    throw readingFailure(error)
  }
}
