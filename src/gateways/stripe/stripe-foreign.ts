import type { Stripe } from 'stripe'
import { CURRENCY } from '../../schema/money.js'

/** Whether somebody else made a payment or a refund: it is in another currency, without a reference. */
export function isForeign({
  currency,
  metadata,
}: {
  readonly currency: string
  readonly metadata: Stripe.Metadata | null
}): boolean {
  return metadata?.['reference'] === undefined && currency !== CURRENCY.toLowerCase()
}
