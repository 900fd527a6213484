import { Stripe } from 'stripe'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { BadSignature } from '../bad-signature.js'
import type { Credentials, FoundOperation, GatewayNotice, GatewayNotification, Rail } from '../contract.js'
import { expectObject } from './expect-object.js'
import { refusalIn } from './stripe-failure.js'
import { paymentOutcome, refundOutcome, typeOfPayment } from './stripe-outcome.js'
import { WITH_CHARGE } from './stripe-payment.js'

interface Sources {
  readonly clientOf: (credentials: Credentials) => Stripe
  readonly now: () => number
}

/** Maximal age of a signature, in seconds. */
const TOLERANCE = 300

/** A dispute that has moved no money: an inquiry, or one that was settled before it began. */
const WITHOUT_MONEY = /^(warning_\w+|prevented)$/

/** Kinds of object to read again, by the prefixes of their ids. */
const ABOUT: readonly (readonly [prefix: string, about: GatewayNotification['about']])[] = [
  ['pi_', 'operation'],
  ['re_', 'operation'],
  ['pyr_', 'operation'],
  ['dp_', 'dispute'],
  ['du_', 'dispute'],
  ['po_', 'settlement'],
]

/** Notifications of Stripe, signed; every object is read again. */
export function stripeNotices({ clientOf, now }: Sources): Pick<Rail, 'receive' | 'read'> {
  return {
    receive(headers, rawBody, { secrets }) {
      const secret = secrets['notification_secret']
      if (!secret) throw new BadSignature('No notification secret is configured')
      const signature = headers['stripe-signature']
      if (!signature) throw new BadSignature('It has no Stripe-Signature')
      return [notificationOf(verified(rawBody, signature, secret, now()))]
    },

    async read({ gatewayId = '', raw }, credentials) {
      const merchant = merchantIn(raw)
      const isOther = merchant !== undefined && merchant !== credentials.merchant
      const stripe = clientOf(isOther ? { ...credentials, merchant } : credentials)
      try {
        const notices = await noticesAbout(stripe, gatewayId)
        return isOther ? notices.map((notice) => ({ ...notice, merchant })) : notices
      } catch (error) {
        const refusal = refusalIn(error)
        throw new Error(`${gatewayId} cannot be read: ${JSON.stringify(refusal)}`, { cause: error })
      }
    },
  }
}

function verified(body: Buffer, signature: string, secret: string, at: number): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE, undefined, at)
  } catch (error) {
    throw new BadSignature(error instanceof Error ? error.message : String(error))
  }
}

function notificationOf(event: Stripe.Event): GatewayNotification {
  const { id, type, data } = event
  const gatewayId = subjectOf(data.object)
  const about = ABOUT.find(([prefix]) => gatewayId?.startsWith(prefix))?.[1] ?? 'nothing'
  return { id, type, about, gatewayId, raw: JSON.stringify(event, withoutSecret) }
}

/** Removes the secret of a payment: its holder may confirm an open payment with another method. */
function withoutSecret(name: string, value: unknown): unknown {
  return name === 'client_secret' ? undefined : value
}

/** The id of an event's object; a charge is one attempt at a payment. */
function subjectOf(object: Stripe.Event.Data.Object): string | undefined {
  if (!('id' in object) || typeof object.id !== 'string') return undefined
  const isCharge = 'object' in object && object.object === 'charge'
  if (isCharge && 'payment_intent' in object && typeof object.payment_intent === 'string')
    return object.payment_intent
  return object.id
}

/** The connected account of an event; undefined for those of the account itself. */
function merchantIn(raw: string): string | undefined {
  const event = parsedJson(raw)
  return isTree(event) && typeof event.account === 'string' ? event.account : undefined
}

async function noticesAbout(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  if (id.startsWith('pi_')) return [await paymentNotice(stripe, id)]
  if (/^(re|pyr)_/.test(id)) return [await refundNotice(stripe, id)]
  return /^(dp|du)_/.test(id) ? await disputeNotices(stripe, id) : []
}

/** State of a payment, as far as it is decided. */
const STATES: Readonly<Record<string, FoundOperation['state']>> = {
  requires_capture: 'authorized',
  succeeded: 'captured',
  canceled: 'voided',
}

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
    state: STATES[status],
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

async function paymentNotice(stripe: Stripe, id: string): Promise<GatewayNotice> {
  return paymentAsIs(expectObject(await stripe.paymentIntents.retrieve(id, WITH_CHARGE), 'payment_intent'))
}

async function refundNotice(stripe: Stripe, id: string): Promise<GatewayNotice> {
  return refundAsIs(expectObject(await stripe.refunds.retrieve(id), 'refund'))
}

/** A won dispute was a chargeback before, whichever of both is reported first. */
async function disputeNotices(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  const dispute = expectObject(await stripe.disputes.retrieve(id, { expand: ['payment_intent'] }), 'dispute')
  const { status, amount, payment_intent: intent, network_reason_code: code } = dispute
  if (WITHOUT_MONEY.test(status)) return []
  const payment = typeof intent === 'object' ? (intent?.metadata['reference'] ?? intent?.id) : intent
  if (!payment) return []
  const isReturn = code !== undefined && code !== null && /^R\d\d$/.test(code)
  const taken = { dispute: id, payment, amount, statusCode: isReturn ? code : 'chargeback' }
  const first: GatewayNotice = { kind: isReturn ? 'return' : 'chargeback', ...taken }
  return status === 'won' ? [first, { kind: 'dispute_won', ...taken, statusCode: 'chargeback' }] : [first]
}
