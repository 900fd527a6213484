import type { Stripe } from 'stripe'
import { datetimeOf } from '../../schema/datetime.js'
import type {
  ActionOutcome,
  ApprovedOutcome,
  DeclinedOutcome,
  GatewayOperation,
  PendingOutcome,
} from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { expectMoney } from './expect-object.js'
import { actionIn } from './stripe-action.js'
import { checksOf } from './stripe-checks.js'
import { declineOf } from './stripe-declines.js'
import { stripeDescription } from './stripe-fields.js'
import { tokenOf } from './stripe-method.js'

type Stated = ApprovedOutcome | DeclinedOutcome | PendingOutcome | ActionOutcome

/** Outcome of a payment. Throws `UnknownOutcome` for a state that Stripe does not document. */
export function paymentOutcome(intent: Stripe.PaymentIntent): Stated {
  const { id: gatewayId, status } = intent
  switch (status) {
    case 'succeeded':
      return approved(intent, intent.amount_received)
    case 'requires_capture':
      return approved(intent, intent.amount_capturable)
    case 'processing':
      return { result: 'pending', gatewayId, code: status }
    case 'requires_action':
      return { result: 'action', gatewayId, code: status, ...actionIn(intent) }
    case 'requires_payment_method':
      return declinedPayment(intent)
    case 'canceled':
      return {
        result: 'declined',
        gatewayId,
        statusCode: 'voided',
        code: intent.cancellation_reason ?? status,
      }
    default:
      throw new UnknownOutcome(`${gatewayId} is ${status}`)
  }
}

/**
 * Outcome of a capture or a void, by the state of its payment; undefined if the payment is neither captured nor voided.
 */
export function changeOutcome(
  intent: Stripe.PaymentIntent,
  type: 'capture' | 'void',
): ApprovedOutcome | DeclinedOutcome | undefined {
  const { id: gatewayId, status } = intent
  if (status === 'succeeded')
    return type === 'capture'
      ? approved(intent, intent.amount_received)
      : {
          result: 'declined',
          gatewayId,
          statusCode: 'already_settled',
          code: status,
          captured: intent.amount_received,
        }
  if (status !== 'canceled') return undefined
  const code = intent.cancellation_reason ?? status
  return type === 'void'
    ? { result: 'approved', gatewayId, amount: intent.amount, code }
    : { result: 'declined', gatewayId, statusCode: 'authorization_expired', code, isHard: true }
}

/**
 * Whether a void has to be a refund, because the payment is captured. False if someone else captured it: then the void
 * is declined.
 */
export function isVoidedByRefund({ parent }: GatewayOperation, intent: Stripe.PaymentIntent): boolean {
  return intent.status === 'succeeded' && (parent?.isCaptured === true || typeOfPayment(intent) === 'sale')
}

/** Outcome of a refund. Throws `UnknownOutcome` for a state that Stripe does not document. */
export function refundOutcome(refund: Stripe.Refund): ApprovedOutcome | DeclinedOutcome | PendingOutcome {
  const { id: gatewayId, status, amount } = refund
  expectMoney({ id: gatewayId, amount, currency: refund.currency })
  switch (status) {
    case 'succeeded':
      return { result: 'approved', gatewayId, amount, code: status }
    case 'pending':
    case 'requires_action':
      return { result: 'pending', gatewayId, code: status }
    case 'failed':
    case 'canceled': {
      const code = refund.failure_reason ?? status
      return { result: 'declined', gatewayId, code, ...declineOf([code]) }
    }
    default:
      throw new UnknownOutcome(`${gatewayId} is ${status}`)
  }
}

/** Requested type of a payment: `authorize` if it is captured later, otherwise `sale`. */
export function typeOfPayment({ capture_method: method }: Stripe.PaymentIntent): GatewayOperation['type'] {
  return method === 'manual' ? 'authorize' : 'sale'
}

function approved(intent: Stripe.PaymentIntent, amount: number): ApprovedOutcome {
  expectMoney({ id: intent.id, amount, currency: intent.currency })
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const details = charge?.payment_method_details
  const card = details?.card
  return {
    result: 'approved',
    gatewayId: intent.id,
    amount,
    authCode: card?.authorization_code ?? null,
    networkId: card?.network_transaction_id ?? null,
    token: tokenOf(intent),
    code: charge?.outcome?.network_status ?? intent.status,
    ...(intent.status === 'requires_capture' &&
      card?.capture_before && { captureBefore: datetimeOf(card.capture_before * 1000) }),
    ...(details && { method: stripeDescription(details) }),
    ...checksOf(card?.checks),
  }
}

/** Decline of a payment by its last failed attempt. */
export function declinedPayment({
  id,
  last_payment_error: error,
  status,
}: Stripe.PaymentIntent): DeclinedOutcome {
  const codes = [error?.decline_code, error?.code]
  const code = codes.find((each) => each !== undefined) ?? status
  return { result: 'declined', gatewayId: id, code, ...declineOf(codes, error?.advice_code) }
}
