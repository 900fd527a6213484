import type { Stripe } from 'stripe'
import type { FoundOutcome, GatewayOperation, Located, SentAt } from '../contract.js'
import { RefusedReading } from '../unknown-outcome.js'
import { expectAbout, expectObject } from './expect-object.js'
import { refusalIn } from './stripe-failure.js'
import { CLOCKS_APART, LONGEST_PAGE, locatePayments, MAX_LISTED } from './stripe-locate.js'
import { changeOutcome, isVoidedByRefund, paymentOutcome, refundOutcome } from './stripe-outcome.js'
import { WITH_CHARGE } from './stripe-payment.js'

/** Finds the outcome of an operation. If the payment's id is unknown, a list is searched for it first. */
export async function findAt(
  stripe: Stripe,
  operation: GatewayOperation,
  sent: SentAt,
): Promise<FoundOutcome> {
  const { type, parent } = operation
  try {
    if (type === 'sale' || type === 'authorize') return await findPayment(stripe, operation, sent)
    if (!parent) return 'never_seen'
    const id = parent.gatewayId ?? (await paymentBefore(stripe, parent.reference, sent))
    if (id === undefined) return 'cannot_say'
    if (type === 'capture' || type === 'void') return await findChange(stripe, operation, id)
    return await findRefund(stripe, operation, id)
  } catch (error) {
    // A refused query leaves the operation's outcome unknown.
    const refusal = refusalIn(error)
    if (refusal.result === 'misconfigured') throw new RefusedReading(refusal)
    return 'cannot_say'
  }
}

async function findPayment(stripe: Stripe, operation: GatewayOperation, sent: SentAt): Promise<FoundOutcome> {
  const located = await locatedPayment(stripe, operation, sent)
  if (typeof located === 'string') return located
  return paymentOutcome(await paymentWithId(stripe, located.gatewayId))
}

/** The id of a payment: the known id, or the one found by reference in the list of payments of that time. */
export async function locatedPayment(
  stripe: Stripe,
  operation: GatewayOperation,
  sent: SentAt,
): Promise<Located> {
  if (sent.gatewayId) return { gatewayId: sent.gatewayId }
  const located = await locatePayments(stripe, [{ ...sent, operation }])
  return located.get(operation.reference) ?? 'cannot_say'
}

async function findChange(stripe: Stripe, operation: GatewayOperation, id: string): Promise<FoundOutcome> {
  const { type } = operation
  const intent = await paymentWithId(stripe, id)
  if (type === 'void' && isVoidedByRefund(operation, intent)) return await findRefund(stripe, operation, id)
  return changeOutcome(intent, type === 'void' ? 'void' : 'capture') ?? 'never_seen'
}

/** Reads a payment with its charge. Throws `UnknownOutcome` for an answer about another payment. */
export async function paymentWithId(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await stripe.paymentIntents.retrieve(id, WITH_CHARGE)
  return expectAbout(expectObject(intent, 'payment_intent'), (read) => read.id === id)
}

async function findRefund(
  stripe: Stripe,
  { reference }: GatewayOperation,
  id: string,
): Promise<FoundOutcome> {
  let count = 0
  for await (const each of stripe.refunds.list({ payment_intent: id, limit: LONGEST_PAGE })) {
    if (each.metadata?.['reference'] === reference) return refundOutcome(expectObject(each, 'refund'))
    if (++count >= MAX_LISTED) return 'cannot_say'
  }
  return 'never_seen'
}

/** The id of a payment whose answer was lost. It is searched among the payments made before the operation on it. */
async function paymentBefore(
  stripe: Stripe,
  reference: string,
  { since }: SentAt,
): Promise<string | undefined> {
  const lte = Math.floor(since / 1000) + CLOCKS_APART
  let count = 0
  for await (const each of stripe.paymentIntents.list({ created: { lte }, limit: LONGEST_PAGE })) {
    if (each.metadata['reference'] === reference) return each.id
    if (++count >= MAX_LISTED) break
  }
  return undefined
}
