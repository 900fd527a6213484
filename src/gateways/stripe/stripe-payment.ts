import type { Stripe } from 'stripe'
import type { GatewayMethod, GatewayOperation } from '../contract.js'
import { authenticationParams } from './stripe-action.js'
import type { StripeMethod } from './stripe-method.js'

/** Parameter of every request that answers a payment. It includes the charge, which has the bank's result. */
export const WITH_CHARGE = { expand: ['latest_charge'] }

const MAX_DESCRIPTOR = 22
/** Characters that Stripe does not allow in the text on a statement. */
const NOT_ON_STATEMENTS = /[<>\\'"*]|[^\x20-\x7e]/g

/**
 * Parameters of a payment that is confirmed at once. If the payer did not start it, no payer can authenticate:
 * `off_session` lets Stripe decline it with `authentication_required`.
 */
export function paymentParams(
  operation: GatewayOperation,
  method: GatewayMethod,
  { paymentMethod, customer, isNew }: StripeMethod,
  hasScript: boolean,
): Stripe.PaymentIntentCreateParams {
  const isCard = method.type === 'card'
  const { amount, currency, type, description, initiator = 'payer' } = operation
  const isOffSession = initiator !== 'payer'
  return {
    amount,
    currency: currency.toLowerCase(),
    confirm: true,
    capture_method: type === 'authorize' ? 'manual' : 'automatic',
    allowed_payment_method_types: [isCard ? 'card' : 'us_bank_account'],
    payment_method: paymentMethod,
    metadata: metadataOf(operation),
    ...WITH_CHARGE,
    ...statement(operation.descriptor, isCard),
    ...(description !== undefined && { description }),
    ...(customer !== undefined && { customer }),
    ...(isOffSession
      ? { off_session: true }
      : authenticationParams({ returnUrl: operation.returnUrl, hasScript })),
    ...(isNew && !isOffSession && customer !== undefined && { setup_future_usage: 'off_session' }),
    ...(isNew && !isCard && mandateOf(operation)),
  }
}

/** Acceptance of a bank account's mandate: online, with the payer's address and browser; without these, on paper. */
function mandateOf({
  device,
}: GatewayOperation): Pick<Stripe.PaymentIntentCreateParams, 'mandate_data' | 'payment_method_options'> {
  if (device) {
    const { address: ip_address, browser: user_agent } = device
    return { mandate_data: { customer_acceptance: { type: 'online', online: { ip_address, user_agent } } } }
  }
  return {
    mandate_data: { customer_acceptance: { type: 'offline', offline: {} } },
    payment_method_options: { us_bank_account: { mandate_options: { collection_method: 'paper' } } },
  }
}

/** Metadata at Stripe that identifies our operation. */
export function metadataOf({ reference, orderNumber, refNumber }: GatewayOperation) {
  return {
    reference,
    ...(orderNumber !== undefined && { order_number: orderNumber }),
    ...(refNumber !== undefined && { ref_number: refNumber }),
  }
}

/**
 * Text on the payer's statement. For cards, Stripe appends it to the account's own text; for bank accounts it is the
 * whole text. Empty without a letter, because Stripe requires one.
 */
function statement(descriptor: string | undefined, isCard: boolean) {
  const text = (descriptor ?? '').replaceAll(NOT_ON_STATEMENTS, ' ').trim().slice(0, MAX_DESCRIPTOR)
  if (!/[a-z]/i.test(text)) return {}
  return isCard ? { statement_descriptor_suffix: text } : { statement_descriptor: text }
}
