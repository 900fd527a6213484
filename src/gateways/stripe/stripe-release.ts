import type { Stripe } from 'stripe'
import type { GatewaySettlementLine } from '../contract.js'

/**
 * Stripe's category for the rest that a partial capture has released. It is a balance transaction of the type `refund`;
 * its source may be a refund without our metadata.
 */
const RELEASED = 'partial_capture_reversal'

export function isRelease({ reporting_category: category }: Stripe.BalanceTransaction): boolean {
  return category === RELEASED
}

/**
 * Whether a refund is in fact the released rest of a partly captured payment. Needs the refund's balance transaction.
 */
export function isReleaseOfPart({ balance_transaction: about }: Stripe.Refund): boolean {
  return typeof about === 'object' && about !== null && isRelease(about)
}

/**
 * Lines of a payout in which each released rest is subtracted from its payment, so that the payment's line has the
 * captured amount.
 */
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
