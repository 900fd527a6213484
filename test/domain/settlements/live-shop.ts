import { owner } from '../../../src/engine/core/request/principal.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { StripePayouts } from '../../gateways/stripe/stripe-payouts.js'
import {
  NOTIFICATION_SECRET,
  openStripeServer,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'

const HOUR = 3_600_000
const START = Date.UTC(2030, 0, 15, 12)

/** A merchant who takes payments in the live environment. */
export class LiveMerchant {
  constructor(
    readonly core: TestCore,
    readonly time: { now: number },
    readonly mode: Environment = 'live',
  ) {}

  async send(method: Method, path: string, body?: Json, query = '', more: { dryRun?: boolean } = {}) {
    const { core } = await this.core.app.environment(this.mode)
    const pairs = query.split('&').flatMap((part): [string, string][] => {
      const [name = '', ...value] = part.split('=')
      return name === '' ? [] : [[name, value.join('=')]]
    })
    return await core.handle({ method, path, body, query: pairs, principal: owner, ...more })
  }

  async ok(method: Method, path: string, body?: Json, query?: string): Promise<JsonObject> {
    const answer = await this.send(method, path, body, query)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async list(path: string, query = 'order_by=id&limit=1000'): Promise<JsonObject[]> {
    return valuesOf(await this.ok('GET', path, undefined, query))
  }

  /** Makes an active processing account without duplicate and risk checks; returns its id. */
  async account(payouts: 'gateway' | 'none' | null, settings: JsonObject = {}): Promise<string> {
    const id = idOf(await this.ok('POST', '/processing_accounts', processingAccount()))
    const free = { duplicate_window: 0, risk_check_enabled: false, ...settings }
    const processing = { status: 'active', settings: free, ...(payouts && { payouts }) }
    await this.ok('PUT', `/processing_accounts/${id}`, { processing })
    return id
  }

  async pay(account: string, amount: number, more: JsonObject = {}): Promise<string> {
    const body = { type: 'payment', amount, processing_id: account, payment_method: card(), ...more }
    return idOf(await this.ok('POST', '/transactions', body))
  }

  /** Charges the default payment method of a customer; returns the id of the payment. */
  async charge(account: string, customer: string, amount: number, more: JsonObject = {}): Promise<string> {
    const body = { type: 'payment', amount, processing_id: account, customer_id: customer, ...more }
    return idOf(await this.ok('POST', '/transactions', body))
  }

  /** Makes a customer with a payment method; returns the id of the customer. */
  async customer(method: JsonObject): Promise<string> {
    return idOf(await this.ok('POST', '/customers', { name: 'Ada Park', payment_methods: [method] }))
  }

  /** The sealed card numbers of a customer's payment methods; null for a deleted number. */
  async numbersOf(customer: string): Promise<(string | null)[]> {
    const { core } = await this.core.app.environment(this.mode)
    const rows = await core.write(({ tx }) =>
      tx.db
        .selectFrom('payment_methods')
        .select('card__card_number')
        .where('account_id', '=', customer)
        .execute(),
    )
    return rows.map(({ card__card_number: number }) => number)
  }

  async refund(payment: string, amount: number): Promise<string> {
    const ledger = [{ assoc_transaction_id: payment }]
    return idOf(await this.ok('POST', '/transactions', { type: 'refund', amount, ledger }))
  }

  async read(id: string): Promise<JsonObject> {
    return await this.ok('GET', `/transactions/${id}`)
  }

  /** Advances the clock and runs due jobs. Settlements are read every six hours. */
  async wait(hours: number): Promise<void> {
    this.time.now += hours * HOUR
    await (await this.core.app.environment(this.mode)).runDueJobs()
  }

  /** Reads the outcomes of pending operations from the gateways. */
  async reconcile(): Promise<void> {
    await (await this.core.app.environment('live')).reconcile(0)
  }

  /** Balances of the journal in cents, by book account, for one processing account or for all. */
  async books(account?: string): Promise<Record<string, number>> {
    const { core } = await this.core.app.environment(this.mode)
    const rows = await core.write(async ({ tx }) => [
      ...(await tx.db.selectFrom('postings').selectAll().execute()),
      ...(await tx.db.selectFrom('settlement_postings').selectAll().execute()),
      ...(await tx.db.selectFrom('exception_postings').selectAll().execute()),
    ])
    const books: Record<string, number> = {}
    for (const { from_account: from, to_account: to, amount, processing_id: id } of rows) {
      if (account !== undefined && id !== account) continue
      books[from] = (books[from] ?? 0) - Number(amount)
      books[to] = (books[to] ?? 0) + Number(amount)
    }
    return Object.fromEntries(Object.entries(books).filter(([, sum]) => sum !== 0))
  }

  async findings(): Promise<Json | undefined> {
    return (await this.ok('GET', '/admin/verify')).findings
  }
}

/** A live merchant whose gateway is a simulated Stripe server that makes payouts. */
export class LiveShop extends LiveMerchant {
  private gateway = ''

  private constructor(
    core: TestCore,
    time: { now: number },
    readonly server: StripeServer,
    readonly payouts: StripePayouts,
    mode: Environment,
  ) {
    super(core, time, mode)
  }

  static async open(
    open: Databases,
    feeOf?: (amount: number) => number,
    mode: Environment = 'live',
  ): Promise<LiveShop> {
    const time = { now: START }
    const server = await openStripeServer(() => time.now)
    open.atEnd(() => server.close())
    const core = await openCore(open, { gatewayLoopback: true, clock: { now: () => time.now } })
    const shop = new LiveShop(core, time, server, new StripePayouts(server, feeOf), mode)
    const gateway = await shop.ok('POST', '/admin/gateways', {
      name: 'cards',
      kind: 'stripe',
      base_url: server.address,
      credentials: { secret_key: SECRET_KEY, notification_secret: NOTIFICATION_SECRET },
    })
    await shop.ok('PUT', '/admin/gateway_routes', { default: 'cards' })
    shop.gateway = idOf(gateway)
    return shop
  }

  get gatewayId(): string {
    return this.gateway
  }

  /** Sets whether card numbers are kept, or deleted as soon as the gateway has given a token. */
  async become(numbers: 'keep' | 'tokenize'): Promise<void> {
    await this.ok('PUT', `/admin/gateways/${this.gateway}`, { numbers })
  }

  /** Disputes a payment that the gateway has taken, and sends the notification of the gateway. */
  async dispute(payment: string): Promise<void> {
    const taken = this.server.books.intents.find(
      ({ metadata, amount_received: amount }) => metadata['reference'] === payment && amount > 0,
    )
    if (!taken) return
    await this.say('charge.dispute.created', this.server.books.dispute(taken.id))
  }

  /** Sends a notification of the gateway, and handles it. */
  async say(type: string, about: object, more: { readonly account?: string } = {}): Promise<void> {
    const said = this.server.notification(type, about, more)
    await this.core.app.receiveNotification({ id: this.gateway, ...said })
    await (await this.core.app.environment(this.mode)).reconcile(0)
  }

  /** Pays out the balance at the gateway, with its lines adapted by `change`, and reads the settlement. */
  async settle(change?: Parameters<StripePayouts['payOut']>[1]): Promise<void> {
    this.payouts.payOut(this.time.now, change)
    await this.wait(7)
  }
}
