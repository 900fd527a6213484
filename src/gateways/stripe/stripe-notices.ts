import { Stripe } from 'stripe'
import { type Input, isTree } from '../../schema/types.js'
import { BadSignature } from '../bad-signature.js'
import type { Credentials, FoundOperation, GatewayNotice, GatewayNotification, Rail } from '../contract.js'
import { eventId, eventType, notificationBody } from '../notification-body.js'
import { expectObject } from './expect-object.js'
import { disputeNotices } from './stripe-disputes.js'
import { readingFailure } from './stripe-failure.js'
import { isForeign } from './stripe-foreign.js'
import { paymentOutcome, refundOutcome, typeOfPayment } from './stripe-outcome.js'
import { WITH_CHARGE } from './stripe-payment.js'
import { isReleaseOfPart } from './stripe-release.js'
import { failedPayoutIn } from './stripe-settlements.js'

interface Sources {
  readonly clientOf: (credentials: Credentials) => Stripe
  readonly now: () => number
}

/** Maximal age of a signature, in seconds. */
const TOLERANCE = 300

/** Kinds of object to read again, by the prefixes of their ids. */
const ABOUT: readonly (readonly [prefix: string, about: GatewayNotification['about']])[] = [
  ['pi_', 'operation'],
  ['re_', 'operation'],
  ['pyr_', 'operation'],
  ['dp_', 'dispute'],
  ['du_', 'dispute'],
  ['po_', 'settlement'],
]

/** Verifies Stripe's signed notifications, and reads the objects that they name. */
export function stripeNotices({ clientOf, now }: Sources): Pick<Rail, 'receive' | 'read'> {
  return {
    receive(headers, rawBody, { secrets }) {
      const secret = secrets['notification_secret']
      if (!secret) throw new BadSignature('No notification secret is configured')
      const signature = headers['stripe-signature']
      if (!signature) throw new BadSignature('It has no Stripe-Signature')
      verify(rawBody, signature, secret.split(' '), now())
      const event = notificationBody(rawBody.toString('utf8'))
      return event === undefined ? [] : notificationIn(event)
    },

    async read({ gatewayId = '', raw }, credentials) {
      const merchant = merchantIn(raw)
      const isOther = merchant !== undefined && merchant !== credentials.merchant
      const stripe = clientOf(isOther ? { ...credentials, merchant } : credentials)
      try {
        const notices = await noticesAbout(stripe, gatewayId)
        return isOther ? notices.map((notice) => ({ ...notice, merchant })) : notices
      } catch (error) {
        throw readingFailure(error)
      }
    },
  }
}

/**
 * Throws `BadSignature` if no secret fits the signature of the body. There are several secrets, because each endpoint
 * has its own.
 */
function verify(body: Buffer, signature: string, secrets: readonly string[], at: number): void {
  const problems = secrets.map((secret) => signatureProblem(body, signature, secret, at))
  if (!problems.includes(undefined)) throw new BadSignature(problems[0] ?? 'No secret is kept')
}

function signatureProblem(body: Buffer, signature: string, secret: string, at: number): string | undefined {
  const { signature: signatures } = Stripe.webhooks
  try {
    if (!signatures) throw new Error('The library verifies no signatures')
    signatures.verifyHeader(body, signature, secret, TOLERANCE, undefined, at)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * The notification in an event of Stripe; an empty list for an event without an id. `about` is `'nothing'` if the kind
 * of object is unknown.
 */
export function notificationIn(event: Input): readonly GatewayNotification[] {
  const id = eventId(event.id)
  if (id === undefined) return []
  const data = isTree(event.data) ? event.data : {}
  const gatewayId = subjectOf(data.object)
  const about = ABOUT.find(([prefix]) => gatewayId?.startsWith(prefix))?.[1] ?? 'nothing'
  return [{ id, type: eventType(event.type), about, gatewayId, raw: JSON.stringify(event, withoutSecret) }]
}

/**
 * Removes `client_secret` from a stored event. With this secret, anyone could confirm the open payment with another
 * method.
 */
function withoutSecret(name: string, value: unknown): unknown {
  return name === 'client_secret' ? undefined : value
}

/** The id of an event's object. For a charge, which is one attempt at a payment, the id of the payment. */
function subjectOf(object: unknown): string | undefined {
  if (!isTree(object)) return undefined
  const payment = object.object === 'charge' ? eventId(object.payment_intent) : undefined
  return payment ?? eventId(object.id)
}

/** The connected account of an event; undefined for an event of the account itself. */
function merchantIn(raw: string): string | undefined {
  return eventId(notificationBody(raw)?.account)
}

async function noticesAbout(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  if (id.startsWith('pi_')) return await paymentNotices(stripe, id)
  if (/^(re|pyr)_/.test(id)) return await refundNotices(stripe, id)
  if (id.startsWith('po_')) return failedPayoutIn(expectObject(await stripe.payouts.retrieve(id), 'payout'))
  return /^(dp|du)_/.test(id) ? await disputeNotices(stripe, id) : []
}

/** Our state of a payment, by Stripe's status; statuses of undecided payments are omitted. */
const STATES: ReadonlyMap<string, FoundOperation['state']> = new Map([
  ['requires_capture', 'authorized'],
  ['succeeded', 'captured'],
  ['canceled', 'voided'],
])

/** Current state of a payment. */
export function paymentAsIs(intent: Stripe.PaymentIntent): FoundOperation {
  const { metadata, status } = intent
  const outcome = paymentOutcome(intent)
  return {
    kind: 'operation',
    reference: metadata['reference'],
    type: typeOfPayment(intent),
    amount: status === 'succeeded' ? intent.amount_received : intent.amount,
    outcome,
    state: STATES.get(status),
  }
}

/** Current state of a refund. */
export function refundAsIs(refund: Stripe.Refund): FoundOperation {
  const { metadata, amount, payment_intent: payment } = refund
  return {
    kind: 'operation',
    reference: metadata?.['reference'],
    type: 'refund',
    amount,
    outcome: refundOutcome(refund),
    ...(typeof payment === 'string' && { parent: payment }),
  }
}

async function paymentNotices(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  const intent = expectObject(await stripe.paymentIntents.retrieve(id, WITH_CHARGE), 'payment_intent')
  return isForeign(intent) ? [] : [paymentAsIs(intent)]
}

async function refundNotices(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  const read = await stripe.refunds.retrieve(id, { expand: ['balance_transaction'] })
  const refund = expectObject(read, 'refund')
  return isForeign(refund) || isReleaseOfPart(refund) ? [] : [refundAsIs(refund)]
}
