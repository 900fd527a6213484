import type { Stripe } from 'stripe'
import type { Credentials } from '../contract.js'
import type { RailEndpoint, RailEndpoints } from '../rail-endpoints.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { STRIPE_VERSION } from './stripe-client.js'
import { readingFailure } from './stripe-failure.js'
import { advancing } from './stripe-settlements.js'

/** Stripe's events that payctl handles. */
export const STRIPE_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.amount_capturable_updated',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'payout.reconciliation_completed',
  'payout.failed',
] as const satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

const PAGE = 100

/**
 * Endpoints for Stripe's events. The account's own events need one endpoint, those of connected accounts another. Both
 * endpoints belong to the account of the secret key, even if payments are made in connected accounts.
 */
export function stripeEndpoints(
  clientOf: (credentials: Credentials) => Stripe,
): Required<RailEndpoints<[Credentials]>> {
  const ownClient = (credentials: Credentials) => clientOf({ ...credentials, merchant: undefined })
  return {
    async list(credentials) {
      const found: RailEndpoint[] = []
      try {
        const list = ownClient(credentials).webhookEndpoints.list({ limit: PAGE })
        for await (const { id, url, status, enabled_events: events } of advancing(list))
          found.push({ id, url, problem: problemOf(status, events) })
      } catch (error) {
        throw readingFailure(error)
      }
      return found
    },

    async create({ endpoint, hasMerchants }, credentials) {
      const { merchant } = credentials
      const kinds = [...(merchant === undefined ? [false] : []), ...(merchant || hasMerchants ? [true] : [])]
      const ids: string[] = []
      const secrets: string[] = []
      try {
        for (const connect of kinds) {
          const made = await ownClient(credentials).webhookEndpoints.create({
            url: endpoint,
            enabled_events: [...STRIPE_EVENTS],
            api_version: STRIPE_VERSION,
            description: 'payctl',
            ...(connect && { connect }),
          })
          if (!made.secret) throw new UnknownOutcome(`Stripe answers no secret of the endpoint ${made.id}`)
          ids.push(made.id)
          secrets.push(made.secret)
        }
      } catch (error) {
        throw readingFailure(error)
      }
      return { ids, secrets: { notification_secret: secrets.join(' ') } }
    },

    async remove(id, credentials) {
      try {
        await ownClient(credentials).webhookEndpoints.del(id)
      } catch (error) {
        throw readingFailure(error)
      }
    },
  }
}

/** Reason why an endpoint does not receive all needed events; null if it does. */
function problemOf(status: string, events: readonly string[]): string | null {
  if (status !== 'enabled') return `is ${status}`
  const missing = events.includes('*') ? [] : STRIPE_EVENTS.filter((event) => !events.includes(event))
  return missing.length === 0 ? null : `does not receive ${missing.join(', ')}`
}
