import { Stripe } from 'stripe'
import type {
  DeclinedOutcome,
  GatewayMethod,
  MisconfiguredOutcome,
  NotSentOutcome,
  RefusalScope,
} from '../contract.js'
import { rateLimited } from '../rate-limit.js'
import { isUnanswered, RefusedReading, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import { expectAbout } from './expect-object.js'
import { NeverArrived } from './stripe-client.js'
import { declineOf, misconfigured } from './stripe-declines.js'

type StripeError = InstanceType<typeof Stripe.errors.StripeError>

/** Whether a payment in an answer is the payment that the request was about. */
type IsMeant = (intent: Stripe.PaymentIntent) => boolean

/** Facts about the request of a failed call. */
interface Failed {
  /** Checks a payment in the error; by default every payment is accepted. */
  readonly isMeant?: IsMeant
  /** The method of the payment; a refusal may be about its kind. */
  readonly method?: GatewayMethod | undefined
}

/** Certain result of a failed call. */
type Refusal = DeclinedOutcome | NotSentOutcome | MisconfiguredOutcome

/**
 * Result of a failed call, if it is certain. Throws `UnknownOutcome` otherwise: for a missing or unreadable answer,
 * 5xx, a reused idempotency key, or an answer about another payment.
 */
export function refusalIn(error: unknown, { isMeant = () => true, method }: Failed = {}): Refusal {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (error.detail instanceof NeverArrived) return { result: 'not_sent', problem: error.detail.message }
  paymentIn(error, isMeant)
  const { statusCode } = error
  const scope = scopeOf(error, method)
  if (scope) return { result: 'misconfigured', scope, problem: problemIn(error) }
  // 429: too many requests, or another request has locked the object. Stripe did not execute this request.
  if (statusCode === 429) return { ...rateLimited(error.headers?.['retry-after']), problem: problemIn(error) }
  if (error.rawType === 'card_error') return declined(error)
  if (error.rawType === 'invalid_request_error' && isCertain(statusCode)) return declined(error)
  throw statusCode === undefined ? new Unanswered(problemIn(error)) : new UnknownOutcome(problemIn(error))
}

/**
 * Result of a failed call that cannot move money. An unknown outcome counts as not sent, because the call had no effect
 * on money.
 */
export function preparationRefusal(error: unknown, method?: GatewayMethod): Refusal {
  try {
    return refusalIn(error, { method })
  } catch (unknown) {
    const problem = unknown instanceof Error ? unknown.message : String(unknown)
    return { result: 'not_sent', problem, ...(!isUnanswered(unknown) && { isReached: true }) }
  }
}

/**
 * Error to throw for a failed query: `RefusedReading` if Stripe refuses the key or the account, otherwise
 * `UnknownOutcome`.
 */
export function readingFailure(error: unknown): Error {
  try {
    const refusal = refusalIn(error)
    if (refusal.result === 'misconfigured') return new RefusedReading(refusal)
    return new UnknownOutcome(refusal.result === 'declined' ? (refusal.code ?? '') : refusal.problem)
  } catch (unknown) {
    return unknown instanceof Error ? unknown : new UnknownOutcome(String(unknown))
  }
}

/** Whether a call failed because the account has no such object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'resource_missing'
}

/** Scope of a refusal of the key, the account or the kind of method; undefined if only this request is refused. */
function scopeOf(error: StripeError, method: GatewayMethod | undefined): RefusalScope | undefined {
  const { statusCode, code } = error
  const known = misconfigured(code)
  if (known) return known === 'kind' ? (method?.type ?? 'merchant') : known
  if (statusCode === 401) return 'gateway'
  if (statusCode === 403) return 'merchant'
  // An error without code and parameter refuses card numbers in general. An error with a parameter refuses only this
  // request.
  const isBare = code === undefined && error.param === undefined
  if (error.rawType !== 'invalid_request_error' || !isBare || !isCertain(statusCode)) return undefined
  return method?.type === 'card' && !method.token ? 'card_number' : 'merchant'
}

/**
 * The payment in an error, in its state after the failed call; undefined if the error has none. Throws `UnknownOutcome`
 * if it is another payment.
 */
export function paymentIn(error: unknown, isMeant: IsMeant): Stripe.PaymentIntent | undefined {
  const intent = error instanceof Stripe.errors.StripeError ? error.payment_intent : undefined
  return intent && expectAbout(intent, isMeant)
}

function isCertain(status: number | undefined): boolean {
  return status === 400 || status === 402 || status === 404
}

function declined(error: StripeError): DeclinedOutcome {
  // The library sets an empty text if there is no decline code.
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
