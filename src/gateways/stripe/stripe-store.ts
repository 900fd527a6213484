import type { Stripe } from 'stripe'
import type { FoundOutcome, GatewayOutcome, SentAt } from '../contract.js'
import type { StoreOperation } from '../payer-action.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { expectAbout, expectObject } from './expect-object.js'
import { actionIn, authenticationParams } from './stripe-action.js'
import { declineOf } from './stripe-declines.js'
import { preparationRefusal, readingFailure, refusalIn } from './stripe-failure.js'
import { CLOCKS_APART, LATEST_ARRIVAL, LONGEST_PAGE, MAX_LISTED } from './stripe-locate.js'
import { prepareMethod, type StripeMethod, tokenOf } from './stripe-method.js'

/**
 * Stores a method without a payment, with a new customer and a SetupIntent. The payer's bank may require the payer to
 * authenticate now. Later the token charges the method without the payer.
 */
export async function storeMethod(
  stripe: Stripe,
  operation: StoreOperation,
  hasScript: boolean,
): Promise<GatewayOutcome> {
  const { reference, method } = operation
  if (!method) throw new UnknownOutcome(`${reference} has no payment method`)
  let prepared: StripeMethod
  try {
    prepared = await prepareMethod(stripe, operation, { ...method, isKept: true })
  } catch (error) {
    return preparationRefusal(error, method)
  }
  const isMeant = ({ metadata }: Stripe.SetupIntent) => metadata?.['reference'] === reference
  try {
    const intent = await stripe.setupIntents.create(setupParams(operation, prepared, hasScript), {
      idempotencyKey: reference,
    })
    return storedOutcome(expectAbout(expectObject(intent, 'setup_intent'), isMeant))
  } catch (error) {
    return refusalIn(error, { method })
  }
}

/** Finds a stored method by its reference, in Stripe's list of SetupIntents of that time. */
export async function findStoredMethod(
  stripe: Stripe,
  { reference }: StoreOperation,
  { since }: SentAt,
): Promise<FoundOutcome> {
  const at = Math.floor(since / 1000)
  const created = { gte: at - CLOCKS_APART, lte: at + LATEST_ARRIVAL }
  let count = 0
  try {
    for await (const each of stripe.setupIntents.list({ created, limit: LONGEST_PAGE })) {
      if (each.metadata?.['reference'] === reference) return storedOutcome(expectObject(each, 'setup_intent'))
      if (++count >= MAX_LISTED) return 'cannot_say'
    }
  } catch (error) {
    throw readingFailure(error)
  }
  return 'never_seen'
}

function setupParams(
  { reference, method, returnUrl }: StoreOperation,
  { paymentMethod, customer }: StripeMethod,
  hasScript: boolean,
): Stripe.SetupIntentCreateParams {
  const isCard = method?.type === 'card'
  return {
    confirm: true,
    usage: 'off_session',
    payment_method: paymentMethod,
    metadata: { reference },
    allowed_payment_method_types: [isCard ? 'card' : 'us_bank_account'],
    ...(customer !== undefined && { customer }),
    ...(!isCard && { mandate_data: { customer_acceptance: { type: 'offline', offline: {} } } }),
    ...authenticationParams({ returnUrl, hasScript }),
  }
}

/** Outcome of a SetupIntent. Throws `UnknownOutcome` for a state that Stripe does not document. */
function storedOutcome(intent: Stripe.SetupIntent): Exclude<FoundOutcome, string> {
  const { id: gatewayId, status, last_setup_error: error } = intent
  switch (status) {
    case 'succeeded':
      return { result: 'approved', gatewayId, amount: 0, token: tokenOf(intent), code: status }
    case 'processing':
      return { result: 'pending', gatewayId, code: status }
    case 'requires_action':
      return { result: 'action', gatewayId, code: status, ...actionIn(intent) }
    case 'requires_payment_method':
    case 'requires_confirmation': {
      const codes = [error?.decline_code, error?.code]
      const code = codes.find((each) => each !== undefined) ?? status
      return { result: 'declined', gatewayId, code, ...declineOf(codes, error?.advice_code) }
    }
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
