import { expect } from 'chai'
import type { GatewayOperation, RemoteGateway } from '../../../src/gateways/contract.js'
import { connectGateway } from '../../../src/gateways/registry/connected-gateway.js'
import { openRailClient } from '../../../src/platform/network/rail-client.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { Business } from '../../support/business.js'
import { idOf, type SendOptions, valuesOf } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { recordingGateway } from '../../support/recording-gateway.js'
import type { Fault } from './faulty-network.js'
import { type HolderName, keyFor, type MerchantKeys, makeKeys } from './merchant-keys.js'
import type { InProcess, Posted, RailUnderTest, Sent, WireServer } from './opened-rail.js'

/** The payer bears half of the fee of a card: 0.59 of 29.99. */
const FEES = {
  credit_conv_fee_alloc: 50,
  debit_conv_fee_alloc: 50,
  prepaid_conv_fee_alloc: 50,
  duplicate_window: 0,
}
const NAME = 'rail'
/** Requests that name what they are about, instead of a merchant. */
const ON_OTHERS: ReadonlySet<string> = new Set(['capture', 'void', 'accept', 'contest'])
/** Milliseconds after which every rail's horizon is over. */
const LATER = 20 * 60_000

interface OpenedCase {
  readonly business: Business
  readonly gateway: RemoteGateway
  readonly time: { now: number }
  readonly at: WireServer | InProcess
  readonly receiveSent: () => readonly Sent[]
  readonly gatewayId?: string
  readonly account: string
  readonly keys: MerchantKeys
}

/** Payments that one key requests by one rail, over the wire format of that rail where it has one. */
export class ContractCase {
  private readonly came: Sent[] = []

  private constructor(private readonly opened: OpenedCase) {}

  /** Minor units that the rail has taken without our asking. */
  elsewhere = 0

  static async open(open: Databases, rail: RailUnderTest, holder: HolderName): Promise<ContractCase> {
    const time = { now: Date.UTC(2030, 0, 15, 17) }
    const clock = { now: () => time.now++ }
    if ('inProcess' in rail) {
      const at = await rail.inProcess()
      const { gateway, takeRequests } = recordingGateway(at.gateway)
      const business = await Business.open(open, { clock, gateway })
      const account = await business.account(FEES)
      const { gateway: own } = at
      const keys = await makeKeys(business.core.app, 'test', holder, account)
      return new ContractCase({ business, gateway: own, time, at, receiveSent: takeRequests, account, keys })
    }
    const server = await rail.open(time, () => open.migrated())
    open.atEnd(() => server.close())
    const business = await Business.open(open, { clock, gatewayLoopback: true })
    const gatewayId = idOf(
      await business.core.ok('POST', '/admin/gateways', { name: NAME, ...server.configuration }),
    )
    await business.core.ok('PUT', '/admin/gateway_routes', { default: NAME })
    const { base_url: baseUrl, merchant, credentials: secrets } = server.configuration
    const http = openRailClient({ loopback: true })
    open.atEnd(() => http.close())
    const gateway = await connectGateway(server.entry, {
      name: NAME,
      http,
      clock,
      stopwatch: clock,
      onCall: () => undefined,
      credentials: { environment: 'test', baseUrl, secrets, merchant },
    })
    const receiveSent = () => server.network.takeRequests().map(server.sent)
    const account = await business.account(FEES)
    const keys = await makeKeys(business.core.app, 'test', holder, account)
    return new ContractCase({ business, gateway, time, at: server, receiveSent, gatewayId, account, keys })
  }

  get business(): Business {
    return this.opened.business
  }

  /** The rail itself, for what the domain never asks of it. */
  get gateway(): RemoteGateway {
    return this.opened.gateway
  }

  get account(): string {
    return this.opened.account
  }

  /** As the operator. */
  get core() {
    return this.business.core
  }

  /** Sends a request by the key of the case. */
  async send(method: Method, path: string, body: JsonObject, options: SendOptions = {}) {
    const holder = await this.core.app.authenticate(keyFor(this.opened.keys, method, path, body))
    if (!holder) throw new Error('The key is unknown')
    return await this.core.send(method, path, body, { ...options, principal: holder.principal })
  }

  /** Throws where the rail has no server. */
  get wire(): WireServer {
    if (!('network' in this.opened.at)) throw new Error('The gateway is in this process')
    return this.opened.at
  }

  /** Whether the rail validates a card at its bank before it stores the card. */
  get validates(): boolean {
    return 'network' in this.opened.at ? this.opened.at.validates === true : true
  }

  get declines() {
    return this.opened.at.declines
  }

  /** Sets the fault of the next request that moves money. */
  fault(fault: Fault): void {
    if ('network' in this.opened.at) this.opened.at.network.faults.push(fault)
    else this.opened.at.fault?.(fault)
  }

  async release(): Promise<void> {
    if ('network' in this.opened.at) await this.opened.at.network.release()
    else this.opened.at.release?.()
  }

  /** Asks for a payment of 29.99 and a convenience fee of 0.59. */
  async pay(more: JsonObject = {}, idempotencyKey?: string) {
    const body = {
      type: 'payment',
      amount: 29.99,
      processing_id: this.account,
      payment_method: card(),
      ...more,
    }
    const query = 'fields=*,gateway_id'
    return await this.send('POST', '/transactions', body, { query, idempotencyKey })
  }

  /** Takes a payment, and forgets what was sent; answers its id and what the rail calls it. */
  async take(more: JsonObject = {}) {
    const { status, body } = await this.pay(more)
    expect(status, JSON.stringify(body)).to.equal(200)
    this.takeSent()
    return { id: idOf(body), there: String(body.gateway_id) }
  }

  async become(id: string, status: string) {
    return await this.send('PUT', `/transactions/${id}`, { status })
  }

  async capture(id: string, amount: number) {
    return await this.send('POST', `/transactions/${id}/capture`, { amount })
  }

  async refund(id: string, amount: number) {
    const ledger = [{ assoc_transaction_id: id }]
    return await this.send('POST', '/transactions', { type: 'refund', amount, ledger })
  }

  async read(id: string): Promise<JsonObject> {
    return await this.core.ok('GET', `/transactions/${id}`, undefined, {
      query: 'fields=*,conv_fee,gateway_id',
    })
  }

  /** Settles what was taken, there and here. */
  async settle(): Promise<void> {
    if ('network' in this.opened.at) await this.opened.at.settle()
    await this.core.ok('POST', '/admin/clock', { by: '3d' })
  }

  /** Lets the rail take a payment of somebody else; answers what it calls it. */
  async foreign(amount: number): Promise<string> {
    this.elsewhere += amount
    return await this.wire.foreign(amount)
  }

  /** Changes the gateway as an operator does. */
  async configure(changes: JsonObject): Promise<void> {
    await this.core.ok('PUT', `/admin/gateways/${this.opened.gatewayId}`, changes)
  }

  /** Asks for an action on the gateway as an operator does. */
  async act(action: string) {
    return await this.core.send('POST', `/admin/gateways/${this.opened.gatewayId}/${action}`, {})
  }

  /** The credentials with another key. */
  wrongCredentials(): JsonObject {
    const { credentials } = this.wire.configuration
    const keys = Object.entries(credentials).filter(([name]) => /^(secret|transaction)_key$/.test(name))
    return Object.fromEntries(keys.map(([name, value]) => [name, `${value}x`]))
  }

  /** Asks the rail for what is not known. */
  async reconcile(): Promise<void> {
    await this.core.environment.reconcile(0)
  }

  /** Lets the time go by in which a request may be on its way. */
  later(): void {
    this.opened.time.now += LATER
  }

  /** A time before everything, as lists are searched from then on. */
  longAgo(): number {
    return this.opened.time.now - 2 * LATER
  }

  /** Waits until a request that moves money has come. */
  async arrived(): Promise<void> {
    for (let { length } = this.came; this.came.length === length; ) {
      this.came.push(...this.opened.receiveSent())
      await new Promise(setImmediate)
    }
  }

  /** Returns and removes what came in. */
  private takeSent(): readonly Sent[] {
    return [...this.came.splice(0), ...this.opened.receiveSent()]
  }

  /** Posts to the address of the gateway. */
  async post({ headers, body }: Posted) {
    return await this.core.app.receiveNotification({ id: this.opened.gatewayId ?? '', headers, body })
  }

  /** Kinds and amounts of the exceptions about a transaction, or about none. */
  async exceptions(id: string | null): Promise<string[]> {
    const all = valuesOf(await this.core.ok('GET', '/admin/exceptions', undefined, { query: 'limit=1000' }))
    return all
      .filter((each) => each.transaction_id === id)
      .map(({ kind, status, amount }) => `${kind} ${status} ${amount}`)
  }

  /** Runs what is due, as the service does by itself. */
  async runDueJobs(): Promise<void> {
    await this.core.environment.runDueJobs()
  }

  /** The disputes of a payment. */
  async disputes(id: string): Promise<readonly JsonObject[]> {
    return valuesOf(
      await this.core.ok('GET', '/disputes', undefined, { query: `transaction_id=${id}&fields=*,evidence` }),
    )
  }

  /** Returns the number of recorded chargebacks. */
  async chargebacks(): Promise<number> {
    return (await this.business.all(this.account, 'chargeback')).length
  }

  /** An operation as the domain makes it, with a reference of its own. */
  operation(type: GatewayOperation['type'], more: Partial<GatewayOperation> = {}): GatewayOperation {
    const at = String(this.opened.time.now++)
    return {
      type,
      amount: 1234,
      currency: 'USD',
      reference: `txn_${at}`,
      refNumber: `K7Q${at}`,
      ...more,
    }
  }

  /** Takes away what came in, and says how much it was. */
  countSent(): number {
    return this.takeSent().length
  }

  /** These requests that move money came in since the last were expected, and no others. */
  expectSent(...expected: Sent[]): void {
    const came = this.takeSent()
    expect(came.map(({ type }) => type)).to.deep.equal(expected.map(({ type }) => type))
    for (const [index, each] of came.entries()) {
      const { amount, reference } = expected[index] ?? {}
      if (each.amount !== undefined && amount !== undefined) expect(each.amount).to.equal(amount)
      if (each.reference !== undefined && reference !== undefined) expect(each.reference).to.equal(reference)
      if (!ON_OTHERS.has(each.type))
        expect(each.merchant).to.equal(each.merchant && this.wire.configuration.merchant)
    }
  }

  /** Checks that payers’ payments have the same total here and at the rail, and that the books balance. */
  async expectEqualBooks(): Promise<void> {
    const ours = (await this.taken()) + this.elsewhere
    if ('network' in this.opened.at) expect(await this.opened.at.taken(), 'at the rail').to.equal(ours)
    expect(await this.business.audit()).to.deep.equal([])
  }

  /** Total of payments less refunds in our books, in minor units. */
  private async taken(): Promise<number> {
    const { transactions } = await this.business.kept()
    return transactions
      .filter(({ status }) => status === 'processed' || status === 'rejected')
      .reduce((sum, { type, amount, conv_fee: convFee }) => {
        if (type === 'payment') return sum + (amount ?? 0) + (convFee ?? 0)
        return type === 'refund' || type === 'credit' ? sum - (amount ?? 0) : sum
      }, 0)
  }
}
