import type { Stripe } from 'stripe'
import type { FoundOutcome, GatewayOperation, SentAt } from '../contract.js'
import { readingFailure } from './stripe-failure.js'
import { locatedPayment, paymentWithId } from './stripe-find.js'
import { declinedPayment, paymentOutcome } from './stripe-outcome.js'

/** States in which a payer may still complete a payment. */
const OPEN: readonly string[] = ['requires_action', 'requires_confirmation', 'requires_payment_method']

/**
 * Cancels a payment that its payer has not completed, and answers its outcome. A payment in any other state is not
 * changed. If the payer completes it at the same moment, the outcome is that of the completed payment.
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
    // No idempotency key: a repeated cancel is harmless, and with a key Stripe would repeat a refusal for a day.
    await stripe.paymentIntents.cancel(before.id, { cancellation_reason: 'abandoned' }).catch(() => undefined)
    const after = await paymentWithId(stripe, before.id)
    // The payer can still complete the payment, so a later call cancels it.
    if (OPEN.includes(after.status)) return 'cannot_say'
    return after.status === 'canceled' && before.last_payment_error !== null
      ? declinedPayment(before)
      : paymentOutcome(after)
  } catch (error) {
    throw readingFailure(error)
  }
}
