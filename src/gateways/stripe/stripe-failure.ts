import { Stripe } from 'stripe'
import type { DeclinedOutcome, MisconfiguredOutcome, NotSentOutcome } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { expectAbout } from './expect-object.js'
import { NeverArrived } from './stripe-client.js'
import { declineOf, isMisconfiguration } from './stripe-declines.js'

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** Whether a payment is the one that a call concerned. */
type IsMeant = (intent: Stripe.PaymentIntent) => boolean

/** Certain result of a failed call. */
type Refusal = DeclinedOutcome | NotSentOutcome | MisconfiguredOutcome

/**
 * Certain result of a failed call. Throws `UnknownOutcome` for all else. Examples are a missing or unreadable answer,
 * 5xx, a key that was used for another request, and a refusal of another payment.
 */
export function refusalIn(error: unknown, isMeant: IsMeant = () => true): Refusal {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (error.detail instanceof NeverArrived) return { result: 'not_sent', problem: error.detail.message }
  paymentIn(error, isMeant)
  const { statusCode, code } = error
  if (statusCode === 401 || statusCode === 403 || isMisconfiguration(code))
    return { result: 'misconfigured', problem: problemIn(error) }
  // Too many requests, or another one has locked the object: in both cases this request was not begun.
  if (statusCode === 429) return { result: 'not_sent', problem: problemIn(error) }
  if (error.rawType === 'card_error') return declined(error)
  if (error.rawType === 'invalid_request_error' && isCertain(statusCode)) return refused(error)
  throw new UnknownOutcome(problemIn(error))
}

/** Result of a failed call that cannot move money: it had no effect, whatever its outcome. */
export function preparationRefusal(error: unknown): Refusal {
  try {
    return refusalIn(error)
  } catch (unknown) {
    return { result: 'not_sent', problem: unknown instanceof Error ? unknown.message : String(unknown) }
  }
}

/** State of the payment when the call failed. Throws `UnknownOutcome` for another payment than requested. */
export function paymentIn(error: unknown, isMeant: IsMeant): Stripe.PaymentIntent | undefined {
  const intent = error instanceof Stripe.errors.StripeError ? error.payment_intent : undefined
  return intent && expectAbout(intent, isMeant)
}

function isCertain(status: number | undefined): boolean {
  return status === 400 || status === 402 || status === 404
}

/**
 * Blames the account for an error without a code and a parameter: Stripe has not allowed it raw card data. An error
 * with a parameter refuses this request only, such as a refund of more than remains.
 */
function refused(error: StripeError): Refusal {
  return error.code === undefined && error.param === undefined
    ? { result: 'misconfigured', problem: problemIn(error) }
    : declined(error)
}

function declined(error: StripeError): DeclinedOutcome {
  // The library has an empty text where there is no decline code.
  const codes = [error.decline_code, error.code].filter((code) => code)
  return {
    result: 'declined',
    gatewayId: error.payment_intent?.id ?? null,
    code: codes[0] ?? error.rawType ?? null,
    ...declineOf(codes, error.advice_code),
  }
}

function problemIn({ statusCode, message, requestId, detail }: StripeError): string {
  const cause = detail instanceof Error ? `: ${detail.message}` : ''
  const request = requestId ? ` (${requestId})` : ''
  return `${statusCode ?? 'No answer'}: ${message}${cause}${request}`
}
