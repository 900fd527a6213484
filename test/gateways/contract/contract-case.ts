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

/** Settings by which the payer bears half of a card's fee: 0.59 for a payment of 29.99. */
const FEES = {
  credit_conv_fee_alloc: 50,
  debit_conv_fee_alloc: 50,
  prepaid_conv_fee_alloc: 50,
  duplicate_window: 0,
}
const NAME = 'rail'
/** Types of requests that name a payment or dispute, not a merchant. */
const ON_OTHERS: ReadonlySet<string> = new Set(['capture', 'void', 'accept', 'contest'])
/** Milliseconds that exceed the horizon of every rail. */
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

/** Environment of one contract test suite: a rail, a key, and a business whose payments go through that rail. */
export class ContractCase {
  private readonly came: Sent[] = []

  private constructor(private readonly opened: OpenedCase) {}

  /** Minor units (cents) that the rail has taken without a request of payctl. */
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

  /** The gateway itself, for calls that the domain would not make. */
  get gateway(): RemoteGateway {
    return this.opened.gateway
  }

  get account(): string {
    return this.opened.account
  }

  /** The core, with requests as the operator. */
  get core() {
    return this.business.core
  }

  /** Sends a request with the key of the case. */
  async send(method: Method, path: string, body: JsonObject, options: SendOptions = {}) {
    const holder = await this.core.app.authenticate(keyFor(this.opened.keys, method, path, body))
    if (!holder) throw new Error('The key is unknown')
    return await this.core.send(method, path, body, { ...options, principal: holder.principal })
  }

  /** The rail's test server. Throws if the rail has none. */
  get wire(): WireServer {
    if (!('network' in this.opened.at)) throw new Error('The gateway is in this process')
    return this.opened.at
  }

  /** Whether the rail validates a card with its bank before storing it. */
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

  /** Requests a payment of 29.99, to which a convenience fee of 0.59 is added. */
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

  /** Takes a payment and clears the recorded requests. Returns its id, and the rail's id (`there`). */
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

  /** Settles all payments at the rail, and advances our clock by three days. */
  async settle(): Promise<void> {
    if ('network' in this.opened.at) await this.opened.at.settle()
    await this.core.ok('POST', '/admin/clock', { by: '3d' })
  }

  /** Lets someone else take a payment at the rail. Returns the rail's id of it. */
  async foreign(amount: number): Promise<string> {
    this.elsewhere += amount
    return await this.wire.foreign(amount)
  }

  /** Changes the gateway as an operator does. */
  async configure(changes: JsonObject): Promise<void> {
    await this.core.ok('PUT', `/admin/gateways/${this.opened.gatewayId}`, changes)
  }

  /** Runs an action on the gateway as an operator does. */
  async act(action: string) {
    return await this.core.send('POST', `/admin/gateways/${this.opened.gatewayId}/${action}`, {})
  }

  /** The rail's credentials with a wrong key. */
  wrongCredentials(): JsonObject {
    const { credentials } = this.wire.configuration
    const keys = Object.entries(credentials).filter(([name]) => /^(secret|transaction)_key$/.test(name))
    return Object.fromEntries(keys.map(([name, value]) => [name, `${value}x`]))
  }

  /** Queries the rail for all unknown outcomes. */
  async reconcile(): Promise<void> {
    await this.core.environment.reconcile(0)
  }

  /** Advances the clock beyond the rail's horizon. */
  later(): void {
    this.opened.time.now += LATER
  }

  /** A time before all operations, from which lists are searched. */
  longAgo(): number {
    return this.opened.time.now - 2 * LATER
  }

  /** Waits until a request that moves money has arrived. */
  async arrived(): Promise<void> {
    for (let { length } = this.came; this.came.length === length; ) {
      this.came.push(...this.opened.receiveSent())
      await new Promise(setImmediate)
    }
  }

  /** Returns and clears the requests that arrived. */
  private takeSent(): readonly Sent[] {
    return [...this.came.splice(0), ...this.opened.receiveSent()]
  }

  /** Delivers a notification to the gateway's address. */
  async post({ headers, body }: Posted) {
    return await this.core.app.receiveNotification({ id: this.opened.gatewayId ?? '', headers, body })
  }

  /** Kind, status and amount of the exceptions about a transaction; with null, of those about none. */
  async exceptions(id: string | null): Promise<string[]> {
    const all = valuesOf(await this.core.ok('GET', '/admin/exceptions', undefined, { query: 'limit=1000' }))
    return all
      .filter((each) => each.transaction_id === id)
      .map(({ kind, status, amount }) => `${kind} ${status} ${amount}`)
  }

  /** Runs all due jobs, as `serve` does. */
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

  /** An operation as the domain makes it, with a new reference. */
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

  /** Clears the requests that arrived, and returns their number. */
  countSent(): number {
    return this.takeSent().length
  }

  /** Checks that exactly these requests that move money have arrived since the last check. */
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

  /** Checks that our total of payments less refunds equals the rail's, and that the books are correct. */
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
