import type { Stripe } from 'stripe'
import { CURRENCY } from '../../schema/money.js'

/** Whether someone else made a payment or a refund: it has no reference of ours, and another currency. */
export function isForeign({
  currency,
  metadata,
}: {
  readonly currency: string
  readonly metadata: Stripe.Metadata | null
}): boolean {
  return metadata?.['reference'] === undefined && currency !== CURRENCY.toLowerCase()
}
