import { expect } from 'chai'
import { checkGateways } from '../../../src/installation/checks/gateway-checks.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { payctl } from '../../cli/commands/payctl.js'
import { type Answer, type ScriptedPeer, scriptedPeer } from '../../gateways/peer/scripted-peer.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { type Databases, onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeProcessing, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { eventsOf } from '../payments/books.js'

const FORBIDDEN: Answer = [403, { error_type: 'Forbidden', error_description: 'It may not take payments' }]
const NO_CARDS: Answer = [
  400,
  {
    error_type: 'InvalidAttributes',
    error_description: 'Card payments are not enabled',
    details: { payment_method: 'Card payments are not enabled for this processing account' },
  },
]

/** Milliseconds after which a process knows what another has changed. */
const MOMENT = 1_000

interface OpenedShop {
  readonly peer: ScriptedPeer
  readonly core: TestCore
  readonly other: TestCore
  readonly time: { now: number }
  readonly gateway: string
  readonly accounts: { readonly good: string; readonly bad: string }
}

/** A shop with two processes on one database, whose gateway knows it as two merchants. */
class Shop {
  private constructor(private readonly opened: OpenedShop) {}

  get peer() {
    return this.opened.peer
  }
  get core() {
    return this.opened.core
  }
  get other() {
    return this.opened.other
  }
  get gateway() {
    return this.opened.gateway
  }
  get accounts() {
    return this.opened.accounts
  }

  static async open(open: Databases): Promise<Shop> {
    const peer = await scriptedPeer()
    open.atEnd(() => peer.close())
    const time = { now: Date.UTC(2030, 0, 15, 17) }
    const clock = { now: () => time.now }
    const options = { clock, stopwatch: clock, gatewayLoopback: true, report: () => undefined }
    const core = await openCore(open, options)
    const other = await openCore(open, { ...core.place, ...options })
    const gateway = await core.ok('POST', '/admin/gateways', {
      name: 'up',
      kind: 'peer',
      base_url: peer.address,
      credentials: { secret_key: 'test_secret_key_old' },
    })
    const [good, bad] = [await makeProcessing(core), await makeProcessing(core)]
    await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
    await core.ok('PUT', '/admin/gateway_routes', {
      default: 'up',
      processing_id: bad,
      merchant: 'acct_bad',
    })
    return new Shop({ peer, core, other, time, gateway: idOf(gateway), accounts: { good, bad } })
  }

  /** Advances the clock: after two seconds configuration is read again, after 30 a circuit is tried again. */
  later(milliseconds = 2_000): void {
    this.opened.time.now += milliseconds
  }

  async pay(account: 'good' | 'bad', { core = this.core, method = card() } = {}) {
    this.later(100)
    const processing_id = this.accounts[account]
    const body = { type: 'payment', amount: 10, processing_id, payment_method: method }
    return await core.send('POST', '/transactions', body)
  }

  async statuses(account: 'good' | 'bad', more: { core?: TestCore; method?: JsonObject } = {}) {
    const { status } = await this.pay(account, more)
    return [status, this.peer.received.splice(0).length]
  }

  async checks() {
    return await this.core.environment.core.read(({ tx }) => checkGateways(tx, 'test'))
  }

  async shown(): Promise<JsonObject> {
    return await this.core.ok('GET', `/admin/gateways/${this.gateway}`)
  }
}

describe('the circuit breakers of a gateway', () => {
  onDatabases((open) => {
    let shop: Shop
    beforeEach(async () => {
      shop = await Shop.open(open)
    })

    it('block the one merchant that the gateway refuses, in each process, and no other merchant', async () => {
      shop.peer.answer = ({ body }) => (body['processing_id'] === 'acct_bad' ? FORBIDDEN : undefined)
      const { body } = await shop.pay('bad')
      expect(body.error_description).to.include('takes no payments of this merchant')
      shop.peer.received.length = 0
      for (const core of [shop.core, shop.other]) {
        expect(await shop.statuses('bad', { core })).to.deep.equal([503, 0])
        expect(await shop.statuses('good', { core })).to.deep.equal([200, 1])
      }
      expect(await shop.shown()).to.include({
        problem: 'The merchant acct_bad is refused: 403: It may not take payments',
        circuit_opened_at: null,
      })
      expect((await shop.checks()).map(({ state, found }) => `${state} ${found}`)).to.deep.equal([
        'failed The merchant acct_bad is refused: 403: It may not take payments',
      ])
      expect(await eventsOf(shop.core, shop.gateway)).to.include('gateway merchant_refused')
    })

    it('block a merchant after a refused capture, and let refunds of another merchant through', async () => {
      const held = await shop.core.ok('POST', '/transactions', {
        type: 'payment',
        status: 'authorized',
        amount: 10,
        processing_id: shop.accounts.bad,
        payment_method: card(),
      })
      const { body: paid } = await shop.pay('good')
      shop.peer.answer = ({ method }) => (method === 'PUT' ? FORBIDDEN : undefined)
      const captured = await shop.core.send('PUT', `/transactions/${idOf(held)}`, { status: 'processed' })
      expect(captured.status).to.equal(503)
      const ledger = [{ assoc_transaction_id: idOf(paid) }]
      shop.later()
      const refund = await shop.core.send('POST', '/transactions', { type: 'refund', amount: 1, ledger })
      expect(refund.status).to.equal(200)
      expect(await shop.statuses('bad')).to.include(503)
    })

    it('block only the kind of method that the gateway refuses, and show that as the problem', async () => {
      shop.peer.answer = ({ body }) => (JSON.stringify(body).includes('"card_number"') ? NO_CARDS : undefined)
      const { status, body } = await shop.pay('good')
      expect([status, body.error_description]).to.deep.equal([
        503,
        'This gateway takes no cards; nothing happened',
      ])
      shop.peer.received.length = 0
      expect(await shop.statuses('good', { core: shop.other })).to.deep.equal([503, 0])
      expect(await shop.statuses('good', { method: bankAccount() })).to.deep.equal([200, 1])
      expect((await shop.shown()).problem).to.match(/^This gateway takes no cards: /)
    })

    it('block all operations if the gateway refuses the secret key', async () => {
      shop.peer.answer = () => [401, 'who are you?']
      expect(await shop.statuses('bad')).to.deep.equal([503, 1])
      expect(await shop.statuses('good')).to.deep.equal([503, 0])
      expect(await shop.statuses('good', { core: shop.other })).to.deep.equal([503, 0])
      const { problem, circuit_opened_at: since } = await shop.shown()
      expect(problem).to.equal('401: no reason is given')
      expect((await shop.checks())[0]?.found).to.equal(`since ${since} nothing of it works: ${problem}`)
    })

    it('close after a successful test of the gateway in any process', async () => {
      shop.peer.answer = ({ method }) => (method === 'GET' ? undefined : FORBIDDEN)
      expect(await shop.statuses('bad')).to.deep.equal([503, 1])
      expect(await shop.statuses('bad', { core: shop.other })).to.deep.equal([503, 0])
      shop.peer.answer = () => undefined
      await shop.other.ok('POST', `/admin/gateways/${shop.gateway}/test`)
      shop.peer.received.length = 0
      for (const core of [shop.core, shop.other])
        expect(await shop.statuses('bad', { core })).to.deep.equal([200, 1])
      expect((await shop.shown()).problem).to.equal(null)
    })

    it('let an operation through after half a minute, and close if it succeeds', async () => {
      shop.peer.answer = () => FORBIDDEN
      await shop.statuses('bad')
      shop.later(31_000)
      expect(await shop.statuses('bad')).to.deep.equal([503, 1])
      expect(await shop.statuses('bad')).to.deep.equal([503, 0])
      shop.later(31_000)
      shop.peer.answer = () => undefined
      expect(await shop.statuses('bad')).to.deep.equal([200, 1])
      await shop.core.environment.reconcile(0)
      expect((await shop.shown()).problem).to.equal(null)
      expect((await eventsOf(shop.core, shop.gateway)).at(-1)).to.equal('gateway reached')
      shop.later()
      expect(await shop.statuses('bad', { core: shop.other })).to.deep.equal([200, 1])
    })

    it('show a refused query as a problem, and block no payment because of it', async () => {
      shop.peer.answer = ({ method }) => (method === 'GET' ? FORBIDDEN : [500, '{}'])
      expect((await shop.pay('good')).body).to.include({ status: 'processing' })
      await shop.core.environment.reconcile(0)
      expect((await shop.shown()).problem).to.include('It refuses to be read (find): 403')
      shop.peer.answer = ({ method }) => (method === 'GET' ? FORBIDDEN : undefined)
      expect(await shop.statuses('good')).to.include(200)
      shop.peer.answer = () => undefined
      await shop.core.environment.reconcile(0)
      shop.later()
      expect((await shop.shown()).problem).to.equal(null)
    })

    it('count failed requests for each merchant, and block only the merchant concerned', async () => {
      shop.peer.answer = ({ body }) => (body['processing_id'] === 'acct_bad' ? [500, '{}'] : undefined)
      for (let count = 0; count < 5; count++) await shop.pay('bad')
      shop.peer.received.length = 0
      expect(await shop.statuses('bad')).to.deep.equal([503, 0])
      expect(await shop.statuses('good')).to.deep.equal([200, 1])
    })
  })
})

describe('journey: a merchant that a gateway refuses', () => {
  onDatabases((open) => {
    let service: HttpService
    it('is shown by commands, and takes payments again after a test at the terminal', async () => {
      const peer = await scriptedPeer()
      open.atEnd(() => peer.close())
      const place = await open.migrated()
      // The service reads what was recorded, also by other processes, after a moment, which the test lets pass.
      const time = { now: 0 }
      service = await httpService(place, { gatewayLoopback: true, stopwatch: { now: () => time.now } })
      open.atEnd(() => service.stop())
      const run = async (...words: string[]) => {
        const variables = { PAYCTL_GATEWAY_LOOPBACK: '1' }
        const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'], { variables })
        if (exitCode !== 0) throw new Error(`payctl ${words.join(' ')}: ${stderr}`)
        const printed: JsonObject = JSON.parse(stdout)
        return printed
      }
      const key = await service.key({ manage: true })
      const account = await service.ask(key, 'POST', '/processing_accounts', processingAccount())
      const processing = idOf(account.body)
      const configuration = ['--name', 'up', '--base-url', peer.address, '--secret-key', 'test_secret_key_x']
      await run('gateways', 'add', 'peer', ...configuration)
      await run('gateways', 'route', '--default', 'up', '--processing', processing, '--merchant', 'acct_bad')
      const pay = async () =>
        await service.ask(key, 'POST', '/transactions', {
          type: 'payment',
          amount: 10,
          processing_id: processing,
          payment_method: card(),
        })
      peer.answer = ({ method }) => (method === 'GET' ? undefined : FORBIDDEN)
      time.now += MOMENT
      expect((await pay()).status).to.equal(503)
      time.now += MOMENT
      expect((await pay()).status).to.equal(503)
      expect((await run('gateways', 'show', 'up')).problem).to.include('acct_bad is refused')
      expect(JSON.stringify((await run('whoami')).routes)).to.include('acct_bad is refused')
      peer.answer = () => undefined
      await run('gateways', 'test', 'up')
      time.now += MOMENT
      expect((await pay()).body).to.include({ status: 'processed' })
      expect((await run('gateways', 'show', 'up')).problem).to.equal(null)
    })
  })
})
