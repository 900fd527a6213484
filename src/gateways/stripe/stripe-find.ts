import type { Stripe } from 'stripe'
import type { FoundOutcome, GatewayOperation } from '../contract.js'
import { expectObject } from './expect-object.js'
import { refusalIn } from './stripe-failure.js'
import { changeOutcome, isVoidedByRefund, paymentOutcome, refundOutcome } from './stripe-outcome.js'
import { WITH_CHARGE } from './stripe-payment.js'

/** How far Stripe's clock and ours may be apart, in seconds. */
const CLOCKS_APART = 300
/** Until when a request may arrive that was sent, in seconds: nothing keeps one longer. */
const LATEST_ARRIVAL = 3600
const PAGE = 100
/** Payments and refunds that are looked through for one: a merchant who takes more within the hour is told to wait. */
const MAX_LISTED = 20_000

/** Whether a list is known to its end. */
const CUT = Symbol('cut')

/**
 * What has become of an operation. A payment is looked for in the list of those made about then: Stripe's search lags, and
 * a key that is used again may be forgotten and start another payment.
 */
export async function findAt(
  stripe: Stripe,
  operation: GatewayOperation,
  since: number,
): Promise<FoundOutcome> {
  const { type, parent } = operation
  try {
    if (type === 'sale' || type === 'authorize') return await findPayment(stripe, operation, since)
    if (!parent) return 'never_seen'
    const id = parent.gatewayId ?? (await paymentAbout(stripe, parent.reference, since))
    if (typeof id !== 'string') return 'cannot_say'
    if (type === 'capture' || type === 'void') return await findChange(stripe, operation, id)
    return await findRefund(stripe, operation, id)
  } catch (error) {
    // Whatever a read is refused for says nothing of what was asked for before.
    refusalIn(error)
    return 'cannot_say'
  }
}

async function findPayment(
  stripe: Stripe,
  { reference }: GatewayOperation,
  since: number,
): Promise<FoundOutcome> {
  const seconds = Math.floor(since / 1000)
  const listed = stripe.paymentIntents.list({
    created: { gte: seconds - CLOCKS_APART, lte: seconds + LATEST_ARRIVAL },
    limit: PAGE,
    expand: ['data.latest_charge'],
  })
  const found = await withReference(listed, reference)
  if (found === CUT) return 'cannot_say'
  return found ? paymentOutcome(expectObject(found, 'payment_intent')) : 'never_seen'
}

async function findChange(stripe: Stripe, operation: GatewayOperation, id: string): Promise<FoundOutcome> {
  const { type } = operation
  const intent = expectObject(await stripe.paymentIntents.retrieve(id, WITH_CHARGE), 'payment_intent')
  if (type === 'void' && isVoidedByRefund(operation, intent)) return await findRefund(stripe, operation, id)
  return changeOutcome(intent, type === 'void' ? 'void' : 'capture') ?? 'never_seen'
}

async function findRefund(
  stripe: Stripe,
  { reference }: GatewayOperation,
  id: string,
): Promise<FoundOutcome> {
  const found = await withReference(stripe.refunds.list({ payment_intent: id, limit: PAGE }), reference)
  if (found === CUT) return 'cannot_say'
  return found ? refundOutcome(expectObject(found, 'refund')) : 'never_seen'
}

/** The id of a payment whose answer was lost: it was made before what is asked of it now. */
async function paymentAbout(stripe: Stripe, reference: string, since: number) {
  const lte = Math.floor(since / 1000) + CLOCKS_APART
  const found = await withReference(stripe.paymentIntents.list({ created: { lte }, limit: PAGE }), reference)
  return found === CUT ? undefined : found?.id
}

async function withReference<T extends { readonly metadata: Stripe.Metadata | null }>(
  listed: AsyncIterable<T>,
  reference: string,
): Promise<T | typeof CUT | undefined> {
  let count = 0
  for await (const each of listed) {
    if (each.metadata?.['reference'] === reference) return each
    count += 1
    if (count >= MAX_LISTED) return CUT
  }
  return undefined
}
