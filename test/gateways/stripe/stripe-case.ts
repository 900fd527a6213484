import type { Credentials, GatewayMethod, GatewayOperation, Rail } from '../../../src/gateways/contract.js'
import { rails } from '../../../src/gateways/registry/rails.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import { NOTIFICATION_SECRET, openStripeServer, SECRET_KEY, type StripeServer } from './stripe-server.js'

/** Time at which every test runs, in milliseconds since 1970. */
export const NOW = Date.UTC(2026, 10, 22, 12)

export const card: GatewayMethod = {
  type: 'card',
  number: '4242424242424242',
  expiry: '12/39',
  cardCode: '123',
}
export const bank: GatewayMethod = {
  type: 'bank_account',
  number: '000123456789',
  routing: '110000000',
  holder: 'Ada Lovelace',
}

/** The rail to Stripe, connected to a test server with complete books. Each test gets a new server. */
export class StripeCase {
  private opened: { server: StripeServer; rail: Rail; http: RailClient } | undefined
  private count = 0

  async open(): Promise<void> {
    const entry = rails['stripe']
    if (!entry) throw new Error('There is no rail to Stripe')
    const http = openRailClient({ loopback: true })
    const rail = (await entry.load())({ http, now: () => NOW })
    this.opened = { http, rail, server: await openStripeServer(() => NOW) }
  }

  async close(): Promise<void> {
    await this.opened?.http.close()
    await this.opened?.server.close()
  }

  private get place() {
    if (!this.opened) throw new Error('It is not open')
    return this.opened
  }
  get server() {
    return this.place.server
  }
  get rail() {
    return this.place.rail
  }

  get credentials(): Credentials {
    const secrets = { secret_key: SECRET_KEY, notification_secret: NOTIFICATION_SECRET }
    return { environment: 'test', baseUrl: this.server.address, secrets }
  }

  operation(more: Partial<GatewayOperation> = {}): GatewayOperation {
    this.count += 1
    return {
      type: 'sale',
      reference: `txn_${this.count}`,
      amount: 2999,
      currency: 'USD',
      method: card,
      ...more,
    }
  }

  perform(asked: GatewayOperation) {
    return this.rail.perform(asked, this.credentials)
  }
  find(asked: GatewayOperation) {
    return this.rail.find(asked, { since: NOW }, this.credentials)
  }

  /** Returns the calls that the server received, in order. */
  calls(): readonly string[] {
    return this.server.requests.map(({ call }) => call.replace('/v1/', ''))
  }

  /** Takes a payment. Returns it as the parent of a later operation. */
  async taken(more: Partial<GatewayOperation> = {}) {
    const asked = this.operation(more)
    const outcome = await this.perform(asked)
    if (!('gatewayId' in outcome) || !outcome.gatewayId) throw new Error(JSON.stringify(outcome))
    this.server.requests.length = 0
    const { gatewayId } = outcome
    const isCaptured = asked.type === 'sale'
    return { gatewayId, parent: { reference: asked.reference, gatewayId, isCaptured } }
  }

  /** Builds a capture, void or refund of a payment. */
  changing(type: GatewayOperation['type'], parent: object, amount = 2999): GatewayOperation {
    const parentOperation = { reference: '', gatewayId: null, ...parent }
    return this.operation({ type, method: undefined, amount, parent: parentOperation })
  }
}
