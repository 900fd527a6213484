import type { Stripe } from 'stripe'
import type { GatewaySettlementLine } from '../contract.js'

/**
 * Stripe's category of what a capture of a part has released. Stripe lists it as a balance transaction of the type
 * `refund`, whose source may be a refund without our metadata.
 */
const RELEASED = 'partial_capture_reversal'

export function isRelease({ reporting_category: category }: Stripe.BalanceTransaction): boolean {
  return category === RELEASED
}

/** Whether a refund, with its balance transaction, is no refund but the rest of a payment that was captured in part. */
export function isReleaseOfPart({ balance_transaction: about }: Stripe.Refund): boolean {
  return typeof about === 'object' && about !== null && isRelease(about)
}

/** Lines of a payout in which each released rest is taken off its payment: the payment is what was captured. */
export function withoutReleases(
  lines: readonly GatewaySettlementLine[],
  releases: readonly GatewaySettlementLine[],
): GatewaySettlementLine[] {
  const left = [...lines]
  for (const release of releases) {
    const at = left.findIndex(({ kind, gatewayId }) => kind === 'payment' && gatewayId === release.parentId)
    const payment = left[at]
    if (!payment) left.push(release)
    else
      left[at] = {
        ...payment,
        amount: payment.amount + release.amount,
        fee: (payment.fee ?? 0) + (release.fee ?? 0),
      }
  }
  return left
}
