import { expect } from 'chai'
import { deleteOldAttempts } from '../../src/domain/attempts/delete-old-attempts.js'
import type { EmbeddedGateway } from '../../src/gateways/contract.js'
import { remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../src/gateways/simulator/simulator.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { card, makeProcessing } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import { CARD, payerAt, wordsOf } from './payer/payer.js'

const HOUR = 3_600_000
/** First digits of card numbers that the simulator declines. */
const DECLINED = '411111111111'

describe('attempts to guess card numbers', () => {
  onDatabases((open) => {
    const time = { now: Date.UTC(2030, 0, 15, 8) }
    const clock = { now: () => time.now }
    let core: TestCore
    let services: HttpService[]
    let shop: string
    let key: string
    let number = 0
    before(async () => {
      core = await openCore(open, { clock })
      const serving = { trustProxy: 'loopback' }
      services = [
        await httpService(core.place, { clock }, serving),
        await httpService(core.place, { clock }, serving),
      ]
      for (const service of services) open.atEnd(() => service.stop())
    })
    /** Gives each test its own account and client key, an hour after the previous test. */
    beforeEach(async () => {
      time.now += HOUR + 1
      shop = await makeProcessing(core)
      key = await clientKey()
    })

    const clientKey = async () =>
      idOf(await core.ok('POST', '/access_tokens', { type: 'client', intent: { processing_id: shop } }))
    /** Returns a card number that begins with these digits and that no test has used. */
    const another = (beginning = '424242424') => {
      const digits = beginning + String(++number).padStart(15 - beginning.length, '0')
      return digits + checkDigit(digits)
    }
    const payment = (card_number: string): JsonObject => ({
      type: 'payment',
      amount: 9,
      payment_method: card(card_number),
    })
    interface From {
      readonly address?: string
      readonly key?: string
      /** Index of the service process that receives the request. */
      readonly at?: number
      readonly idempotencyKey?: string
    }
    const pay = async (card_number: string, from: From = {}) => {
      const { address = '192.0.2.1', key: by = key, at = 0, idempotencyKey } = from
      const response = await fetch(`${services[at]?.address}/transactions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${by}`,
          'content-type': 'application/json',
          'x-forwarded-for': address,
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: JSON.stringify(payment(card_number)),
      })
      const body: JsonObject = JSON.parse(await response.text())
      return { status: response.status, headers: response.headers, body }
    }
    const statuses = async (count: number, from: From = {}, next = another) => {
      const found: number[] = []
      for (let n = 0; n < count; n++) found.push((await pay(next(), { ...from, at: n % 2 })).status)
      return found
    }
    const statusLines = async () => JSON.stringify((await core.ok('GET', '/admin/status')).lines)

    it('from an address with a client key are limited to ten an hour in all processes; others can still use the key', async () => {
      const first = another()
      expect((await pay(first)).status).to.equal(200)
      time.now += 60_000
      expect(await statuses(9)).to.deep.equal(Array.from({ length: 9 }, () => 200))
      const refused = await pay(another(), { at: 1 })
      expect([refused.status, refused.body.error_type]).to.deep.equal([429, 'TooManyRequests'])
      expect(refused.body.error_description).to.include('nothing was charged')
      expect(refused.headers.get('retry-after')).to.equal('3540')
      expect((await pay(first)).status).to.equal(200)
      expect((await pay(another(), { address: '192.0.2.2' })).status).to.equal(200)
      expect((await pay(another(), { key: await clientKey() })).status).to.equal(200)
      time.now += HOUR - 60_000
      expect((await pay(another())).status).to.equal(200)
      expect((await pay(another())).status).to.equal(429)
    })

    it('at the same time have the same limit as one after the other', async () => {
      const numbers = Array.from({ length: 30 }, () => another())
      const answers = await Promise.all(numbers.map((each, n) => pay(each, { at: n % 2 })))
      expect(answers.filter(({ status }) => status === 200)).to.have.length(10)
    })

    it('from the network of an IPv6 customer are counted together', async () => {
      const found: number[] = []
      for (let n = 0; n < 12; n++)
        found.push((await pay(another(), { address: `2001:db8::${n.toString(16)}` })).status)
      expect(found.filter((status) => status === 200)).to.have.length(10)
    })

    for (const kind of ['embedded', 'remote'] as const)
      it(`declined by ${kind} gateways are limited to thirty an hour in total; addresses that have paid continue`, async () => {
        const remote = remoteSimulator()
        const declined = { result: 'declined', statusCode: 'insufficient_bal', avs: null } as const
        let declines = false
        const embedded: EmbeddedGateway = {
          ...simulator,
          perform: (operation) => (declines ? declined : simulator.perform(operation)),
        }
        const gateway = kind === 'embedded' ? embedded : remote
        const service = await httpService(core.place, { clock, gateway }, { trustProxy: 'loopback' })
        open.atEnd(() => service.stop())
        const at = services.push(service) - 1
        expect((await pay(another(), { at, address: '198.51.100.1' })).status).to.equal(200)
        for (let n = 0; n < 30; n++) {
          declines = true
          remote.script(declined)
          const answer = await pay(another(), { at, address: `203.0.113.${n}` })
          expect(answer.status, JSON.stringify(answer.body)).to.equal(400)
        }
        declines = false
        const refused = await pay(another(), { at, address: '192.0.2.9' })
        expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '3600'])
        expect(refused.body.error_description).to.include('Too many payments were declined here')
        expect((await pay(another(), { at, address: '198.51.100.1' })).status).to.equal(200)
        time.now += HOUR
        expect((await pay(another(), { at, address: '192.0.2.9' })).status).to.equal(200)
      })

    it('with one number declined repeatedly count once, and approved ones do not count', async () => {
      for (let n = 0; n < 35; n++) await pay(`${DECLINED}9904`, { address: `203.0.113.${n}` })
      for (let n = 0; n < 35; n++)
        expect((await pay(another(), { address: `198.51.100.${n}` })).status).to.equal(200)
    })

    it('are unlimited with a secret key, or at an account that has the check off', async () => {
      const secret = (await services[0]?.key({})) ?? ''
      expect(new Set(await statuses(12, { key: secret }))).to.deep.equal(new Set([200]))
      const made = await core.ok('GET', `/processing_accounts/${shop}`)
      const settings = objectOf(objectOf(made.processing).settings)
      expect(settings.card_testing_check).to.equal(true)
      await core.ok('PUT', `/processing_settings/${idOf(settings)}`, { card_testing_check: false })
      expect(new Set(await statuses(12))).to.deep.equal(new Set([200]))
    })

    it('behind an untrusted proxy have no address, and doctor and status warn of it', async () => {
      const service = await httpService(core.place, { clock })
      open.atEnd(() => service.stop())
      const untrusted = services.push(service) - 1
      const found = new Set<number>()
      for (let n = 0; n < 12; n++) found.add((await pay(another(), { at: untrusted })).status)
      expect(found).to.deep.equal(new Set([200]))
      expect(await statusLines()).to.include('addresses of payers')
    })

    it('are reported as one event an hour per account, and in status', async () => {
      await statuses(15)
      const { events } = await core.ok('GET', '/admin/events', undefined, { query: 'trigger=card_testing' })
      if (!Array.isArray(events)) throw new Error('Events are no list')
      const own = events.map(objectOf).filter(({ processing_id: id }) => id === shop)
      expect(own).to.have.length(1)
      expect(own[0]).to.include({ triggered_on_object: 'processing_account', triggered_on_id: shop })
      const lines = await statusLines()
      expect(lines)
        .to.include('card testing')
        .and.include(`test_client_key_${key.slice(16, 19)}…`)
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('are not stored in clear, and are deleted within a day', async () => {
      const tried = another()
      await pay(tried)
      const { core: inner } = core.environment
      const rows = async () =>
        await inner.read(({ tx: { db } }) => db.selectFrom('attempts').selectAll().execute())
      expect(JSON.stringify(await rows()))
        .to.not.include(tried)
        .and.not.include('192.0.2.1')
      time.now += 24 * HOUR
      await deleteOldAttempts(core.environment.core.write, new AbortController().signal)
      expect(await rows()).to.deep.equal([])
    })

    it('show a client key no wrong code, number or postal code, but show them to the merchant', async () => {
      const codes = { 9905: 'invalid_card_code', 9906: 'invalid_card_number', 9907: 'invalid_zip' }
      for (const [ending, code] of Object.entries(codes)) {
        const { status, body } = await pay(`${DECLINED}${ending}`)
        const details = objectOf(body.details)
        expect([status, body.error_description, details.status_code]).to.deep.equal([
          400,
          'Declined without a stated reason',
          'general_decline',
        ])
        const stored = await core.ok('GET', `/transactions/${idOf(details)}`)
        expect(stored.status_code).to.equal(code)
        expect(Object.keys(details)).to.have.members(Object.keys(stored))
      }
    })

    it('show a client key no wrong value in an answer completed later, either', async () => {
      const gateway = remoteSimulator()
      const service = await httpService(core.place, { clock, gateway }, { trustProxy: 'loopback' })
      open.atEnd(() => service.stop())
      const at = services.push(service) - 1
      gateway.script('times_out_after')
      const tried = { at, idempotencyKey: 'once' }
      const begun = await pay(`${DECLINED}9905`, tried)
      expect([begun.status, begun.body.status]).to.deep.equal([200, 'processing'])
      time.now += HOUR
      await (await service.app.environment('test')).reconcile(0)
      const { status, headers, body } = await pay(`${DECLINED}9905`, tried)
      expect([status, headers.get('idempotent-replay')]).to.deep.equal([400, 'true'])
      expect(objectOf(body.details).status_code).to.equal('general_decline')
    })

    it('at a link are refused on its page, in words, and others can still pay the link', async () => {
      const link = await core.ok('POST', '/payment_links', {
        amount: 20,
        processing_id: shop,
        type: 'reusable',
      })
      const at = services[0]?.address ?? ''
      const visit = async (card_number: string, address: string) => {
        const payer = payerAt(at, { 'x-forwarded-for': address })
        return await payer.send(await payer.get(`/pay/${idOf(link)}`), { ...CARD, card_number })
      }
      for (let n = 0; n < 10; n++) expect((await visit(another(), '192.0.2.1')).status).to.equal(200)
      const refused = await visit(another(), '192.0.2.1')
      expect(refused.status).to.equal(429)
      expect(refused.headers.get('retry-after')).to.equal('3600')
      expect(wordsOf(refused)).to.include('Too many different cards or bank accounts were tried here')
      expect((await visit(another(), '192.0.2.2')).status).to.equal(200)
      expect(await statusLines()).to.include(idOf(link))
    })

    it('at a link are counted together on its page and with all client keys for it', async () => {
      const link = await core.ok('POST', '/payment_links', {
        amount: 9,
        processing_id: shop,
        type: 'reusable',
      })
      const intent = { payment_link: { payment_link_id: idOf(link) } }
      const keyForLink = async () => idOf(await core.ok('POST', '/access_tokens', { type: 'client', intent }))
      for (let n = 0; n < 2; n++)
        expect(await statuses(5, { key: await keyForLink() })).to.deep.equal([200, 200, 200, 200, 200])
      expect((await pay(another(), { key: await keyForLink() })).status).to.equal(429)
      const payer = payerAt(services[0]?.address ?? '', { 'x-forwarded-for': '192.0.2.1' })
      const form = await payer.get(`/pay/${idOf(link)}`)
      expect((await payer.send(form, { ...CARD, card_number: another() })).status).to.equal(429)
    })
  })
})

/** The last digit of a card number, by the formula of Luhn. */
function checkDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return (10 - (sum % 10)) % 10
}
