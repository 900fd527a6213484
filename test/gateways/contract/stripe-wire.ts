import { type RailEntry, rails } from '../../../src/gateways/registry/rails.js'
import { bankAccount, card } from '../../support/examples.js'
import { StripePayouts, usualFee } from '../stripe/stripe-payouts.js'
import {
  NOTIFICATION_SECRET,
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
} from '../stripe/stripe-server.js'
import { FaultyNetwork, type RailRequest } from './faulty-network.js'
import type { Sent, Time, WireServer } from './opened-rail.js'
import { postTo } from './post-to.js'

const MERCHANT = 'acct_1'
/** Requests that move money. Requests that prepare a payment, such as for a customer, do not. */
const MOVES = /^\/v1\/(payment_intents(\/\w+\/(capture|cancel))?|refunds|disputes\/\w+(\/close)?)$/
/** A card as Stripe's fields in a page send it. */
const TYPED = new Map([
  ['type', 'card'],
  ['card[number]', '4242424242424242'],
  ['card[exp_month]', '12'],
  ['card[exp_year]', '2039'],
])

/** Opens the test server of Stripe's wire format, behind a network with faults. */
export async function openStripeWire(time: Time): Promise<WireServer> {
  const server = await openStripeServer(() => time.now)
  const { books } = server
  const network = await FaultyNetwork.open({
    upstream: server.address,
    moves: ({ method, path }) => method === 'POST' && MOVES.test(path),
    stores: ({ method, path }) => method === 'POST' && path === '/v1/setup_intents',
  })
  const payouts = new StripePayouts(server, () => 0)
  return {
    entry: entryOf('stripe'),
    network,
    configuration: {
      kind: 'stripe',
      base_url: network.address,
      merchant: MERCHANT,
      credentials: { secret_key: SECRET_KEY, notification_secret: NOTIFICATION_SECRET },
    },
    sent,
    taken: async () => books.balance,
    namesAmounts: true,
    declines: [
      ['general_decline', '4000000000000002'],
      ['insufficient_bal', '4000000000009995'],
      ['card_lost', '4000000000009987'],
      ['card_stolen', '4000000000009979'],
      ['card_expired', '4000000000000069'],
      ['invalid_card_code', '4000000000000127'],
      ['processing_error', '4000000000000119'],
      ['exceeded_limit', '4000000000006975'],
      ['suspicious_activity', '4100000000000019'],
    ].map(([statusCode = '', number]) => ({ statusCode, method: card(number) })),
    authenticating: {
      method: card('4000002760003184'),
      answer: async (id, passes) => void books.authenticate(id, passes),
      isOver: async (id) => books.intent(id).status === 'canceled',
    },
    validates: true,
    pending: async () => bankAccount(),
    decide: async (id, isGood) => void books.settle(id, isGood ? undefined : 'insufficient_funds'),
    expire: async (id) => void books.cancel(id),
    settle: async () => void payouts.payOut(time.now),
    paidOut: async () =>
      server.payouts
        .filter((each) => each['status'] !== 'failed')
        .reduce((sum, { amount }) => sum + Number(amount), 0),
    failRefund(id) {
      const refund = books.refund(id)
      refund.status = 'failed'
      Object.assign(refund, { failure_reason: 'expired_or_canceled_card' })
      return server.notification('refund.failed', refund)
    },
    failPayout() {
      const failed = payouts.failLast()
      return failed && server.notification('payout.failed', failed)
    },
    token: async () => books.createMethod(TYPED).id,
    disputes: async () =>
      books.disputes.map(({ id, status, evidence_details: { submission_count: count } }) => ({
        id,
        stage: status,
        isContested: count > 0,
      })),
    operations: async () => [...books.intents, ...books.refunds].map(({ id }) => id),
    async foreign(amount) {
      const { id } = books.createMethod(new Map([['type', 'card']]))
      const made = books.createIntent(
        new Map([
          ['payment_method', id],
          ['allowed_payment_method_types[0]', 'card'],
          ['amount', String(amount)],
        ]),
      )
      return made.id
    },
    refundByHand: async (id, amount) =>
      books.createRefund(
        new Map([
          ['payment_intent', id],
          ['amount', String(amount)],
        ]),
      ).id,
    notice: (id) =>
      id.startsWith('re_')
        ? server.notification('refund.updated', { id, object: 'refund' })
        : server.notification('payment_intent.succeeded', { id, object: 'payment_intent' }),
    async notify(id) {
      const isRefund = id.startsWith('re_')
      const type = isRefund ? 'refund.updated' : 'payment_intent.succeeded'
      const object = { id, object: isRefund ? 'refund' : 'payment_intent' }
      for (const { id: endpoint, url } of server.endpoints.list) {
        const secret = server.endpoints.secrets.get(endpoint) ?? ''
        await postTo(url, server.notification(type, object, { secret }))
      }
    },
    async takeBack(id) {
      const dispute = books.dispute(id)
      return { amount: dispute.amount, posted: server.notification('charge.dispute.created', dispute) }
    },
    async inquire(id) {
      const dispute = books.dispute(id, { status: 'warning_needs_response', balance_transactions: [] })
      return server.notification('charge.dispute.created', dispute)
    },
    fieldCredentials: { publishable_key: PUBLISHABLE_KEY },
    charge() {
      payouts.feeOf = usualFee
    },
    reserve: (amount) => payouts.reserve(amount),
    async lose(id) {
      const dispute = books.disputes.find(({ payment_intent: of }) => of.id === id)
      if (!dispute) throw new Error(`Nobody disputes ${id}`)
      dispute.status = 'lost'
      return server.notification('charge.dispute.closed', dispute)
    },
    async close() {
      await network.close()
      await server.close()
    },
  }
}

function sent({ path, headers, body }: RailRequest): Sent {
  const form = new URLSearchParams(body)
  const amount = form.get('amount') ?? form.get('amount_to_capture')
  const type = typeOf(path, form.get('capture_method'))
  return {
    type,
    amount: amount === null ? undefined : Number(amount),
    reference: form.get('metadata[reference]') ?? String(headers['idempotency-key']),
    merchant: String(headers['stripe-account']),
  }
}

function typeOf(path: string, captureMethod: string | null): Sent['type'] {
  if (path.endsWith('/capture')) return 'capture'
  if (path.endsWith('/cancel')) return 'void'
  if (path.includes('/disputes/')) return path.endsWith('/close') ? 'accept' : 'contest'
  if (path.endsWith('/refunds')) return 'refund'
  return captureMethod === 'manual' ? 'authorize' : 'sale'
}

/** The registry's entry of a rail. */
export function entryOf(kind: string): RailEntry {
  const entry = rails[kind]
  if (!entry) throw new Error(`There is no rail ${kind}`)
  return entry
}
