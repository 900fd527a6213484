import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeProcessing, pay } from '../../support/examples.js'
import { type HttpAnswer, type HttpService, httpService } from '../../support/http.js'

const HOUR = 3_600_000
const OWN_SSN = 'ssn=123-45-6789'

describe('a masked number', () => {
  onDatabases((open) => {
    const time = { now: Date.UTC(2030, 0, 15, 17) }
    const clock = { now: () => time.now }
    let core: TestCore
    let services: HttpService[]
    let shop: string
    let method: string
    before(async () => {
      core = await openCore(open, { clock })
      shop = await makeProcessing(core)
      const payment = await pay(core, shop, 10)
      method = String(payment.payment_method_id)
      services = [await httpService(core.place, { clock }), await httpService(core.place, { clock })]
      for (const service of services) open.atEnd(() => service.stop())
    })
    /** Moves the clock an hour ahead before each test, so that hourly limits begin anew. */
    beforeEach(() => {
      time.now += HOUR
    })

    const keyOf = async (more: JsonObject = {}) => (await services[0]?.key(more)) ?? ''
    /** Sends a request to one of two service processes; `at` is its index. */
    const ask = async (key: string, verb: string, path: string, body?: JsonObject, at = 0) => {
      const answer = await services[at]?.ask(key, verb, path, body)
      if (!answer) throw new Error('There is no such process')
      return answer
    }
    const eventsOf = async (trigger: string) =>
      (await core.ok('GET', '/admin/events', undefined, { query: `trigger=${trigger}` })).events

    it('can be filtered only by one whole value with equality, and no other query uses it', async () => {
      const key = await keyOf({ manage: true })
      for (const [path, query] of [
        ['payment_methods', 'card[card_number]=4242424242424242|5555555555554444'],
        ['payment_methods', 'card_number=!4242424242424242|!5555555555554444'],
        ['legal_entity_owners', 'ssn=123456789|123456780'],
        ['transactions', 'payment_method[card][card_number]=?4242*'],
        ['transactions', 'payment_method[card][card_number]=?*42'],
        ['transactions', 'payment_method[card][card_number]=>=4242424242424242'],
        ['accounts', 'payment_methods[card][card_number]=<5'],
        ['legal_entity_owners', 'order_by=ssn'],
        ['legal_entity_owners', 'group_by=ssn'],
        ['legal_entity_owners', 'fields=count(ssn)'],
        ['legal_entity_owners', 'fields=min(ssn)'],
        ['payment_methods', 'fields=count(*)&count(card[card_number])=1'],
        ['payment_methods', 'order_by=desc(bank_account[account_number])'],
        ['transactions', 'method_fingerprint=x'],
        ['payment_methods', 'card__card_number_hash=x'],
      ] as const) {
        const { status, body } = await ask(key, 'GET', `/${path}?${query}`)
        expect([status, body.error_type], `${path}?${query}`).to.deep.equal([400, 'InvalidAttributes'])
      }
    })

    it('of a person or company can be filtered only with the permission manage, also remotely', async () => {
      const narrowed = await keyOf({ processing_ids: [shop] })
      for (const path of [
        `legal_entity_owners?${OWN_SSN}`,
        'legal_entity_owners?ssn=',
        'legal_entities?ein=12-3456789',
        'legal_entities?owners[ssn]=123456789',
        'processing_accounts?legal_entity[owners][ssn]=123456789',
        'transactions?processing[legal_entity][ein]=123456789',
      ])
        expect((await ask(narrowed, 'GET', `/${path}`)).status, path).to.equal(403)
      const manager = await keyOf({ manage: true })
      const found = await ask(manager, 'GET', `/legal_entity_owners?${OWN_SSN}`)
      expect([found.status, valuesOf(found.body).length]).to.deep.equal([200, 1])
    })

    it('is compared at most twenty times an hour for all keys and processes of an organization, found or not', async () => {
      const keys = [await keyOf(), await keyOf({ processing_ids: [shop] })]
      const compare = async (count: number, verb = 'GET', path = '/payment_methods?card[card_number]=') =>
        await ask(
          keys[count % 2] ?? '',
          verb,
          `${path}4242424242424${count + 100}`,
          verb === 'GET' ? undefined : {},
          count % 2,
        )
      const answers: HttpAnswer[] = []
      for (let count = 0; count < 17; count++) answers.push(await compare(count))
      answers.push(await compare(17, 'GET', '/transactions?payment_method[card][card_number]='))
      answers.push(await compare(18, 'DELETE', '/payment_methods?mode=query&card[card_number]='))
      answers.push(await compare(19, 'GET', `/payment_methods/${method}?card[card_number]=!`))
      expect(answers.map(({ status }) => status).filter((status) => status === 429)).to.deep.equal([])
      time.now += 60_000
      for (const answer of [
        await compare(20),
        await compare(21, 'PUT', '/payment_methods?mode=query&card[card_number]='),
        await compare(22, 'GET', '/customers?payment_methods[card][card_number]='),
        await compare(23, 'GET', `/payment_methods/${method}?card[card_number]=`),
      ]) {
        expect([answer.status, answer.body.error_type]).to.deep.equal([429, 'TooManyRequests'])
        expect(answer.headers.get('retry-after')).to.equal('3540')
      }
      const other = await ask(
        keys[0] ?? '',
        'GET',
        '/payment_methods?bank_account[account_number]=1234567890',
      )
      expect(other.status).to.equal(200)
      time.now += HOUR - 60_000
      expect((await compare(24)).status).to.equal(200)
    })

    it('is compared at most a hundred times an hour for all organizations together, as one key can create many', async () => {
      const twenty = Array.from({ length: 20 }, (_, n) => `ssn=!1234567${n + 10}`).join('&')
      const maker = await keyOf({ manage: true })
      const found: number[] = []
      for (let n = 0; n < 6; n++) {
        const body = { name: `House ${n}`, industry: 'retail', org_type: 'business' }
        const org_id = idOf((await ask(maker, 'POST', '/orgs', body)).body)
        const made = await ask(maker, 'POST', '/admin/keys', { org_id, manage: true })
        const path = `/legal_entity_owners?${twenty}`
        found.push((await ask(String(made.body.secret_key), 'GET', path, undefined, n % 2)).status)
      }
      expect(found).to.deep.equal([200, 200, 200, 200, 200, 429])
    })

    it('is counted for each comparison of a request', async () => {
      const key = await keyOf()
      const many = Array.from({ length: 21 }, (_, n) => `card[card_number]=!42424242424242${n + 10}`)
      const refused = await ask(key, 'GET', `/payment_methods?${many.join('&')}`)
      expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '3600'])
      expect((await ask(key, 'GET', `/payment_methods?${many.slice(0, 20).join('&')}`)).status).to.equal(200)
      expect((await ask(key, 'GET', `/payment_methods?${many[0]}`)).status).to.equal(429)
      expect((await ask(key, 'GET', '/payment_methods?card[card_number]=!')).status).to.equal(200)
    })

    it('that someone tries to guess is an event once an hour, and a warning of status and doctor', async () => {
      const key = await keyOf()
      const before = (await eventsOf('number_guessing')) ?? []
      for (let count = 0; count < 25; count++)
        await ask(key, 'GET', `/payment_methods?card[card_number]=42424242424242${count + 10}`)
      const after = (await eventsOf('number_guessing')) ?? []
      if (!Array.isArray(before) || !Array.isArray(after)) throw new Error('Events are no list')
      expect(after.length - before.length).to.equal(1)
      expect(after.at(-1)).to.deep.include({
        trigger: 'number_guessing',
        triggered_on_object: 'api_key',
      })
      const { lines } = await core.ok('GET', '/admin/status')
      expect(JSON.stringify(lines)).to.include('number guessing').and.include('filtered by too many numbers')
      const findings = await core.ok('GET', '/admin/verify')
      expect(findings.findings).to.deep.equal([])
    })

    it('is not counted for the operator of the terminal, who has the key file', async () => {
      for (let count = 0; count < 25; count++)
        await core.ok('GET', '/payment_methods', undefined, { query: 'card[card_number]=4242424242424242' })
    })

    it('can be sent back only as its mask: a full number is refused, even the right number', async () => {
      const key = await keyOf({ manage: true })
      const path = `/payment_methods/${method}`
      const shown = await ask(key, 'GET', path)
      const refusals = []
      for (const card_number of ['4242424242424242', '5555555555554444']) {
        const changes: JsonObject[] = [{ card: { card_number } }, { card_number }]
        for (const change of changes) {
          const { status, body } = await ask(key, 'PUT', path, change)
          refusals.push(JSON.stringify([status, body]))
        }
      }
      expect(new Set(refusals).size).to.equal(1)
      expect(refusals[0]).to.include('400').and.include('Read only')
      for (const wrong of [{ card: { card_number: 'xxxxxxxxxxxx4241' } }, { card: { card_number: null } }])
        expect((await ask(key, 'PUT', path, wrong)).status).to.equal(400)
      const { card: sent = null } = shown.body
      expect((await ask(key, 'PUT', path, { card: sent })).status).to.equal(200)
    })

    it('is not compared in bulk, in trees or in a dry run', async () => {
      const customer = await core.ok('POST', '/customers', {
        name: 'Ada Park',
        primary_processing_id: shop,
        payment_methods: [card(), bankAccount()],
      })
      const methods = valuesOf(
        await core.ok('GET', '/payment_methods', undefined, { query: `account_id=${customer.id}` }),
      )
      const id = idOf(methods.find(({ type }) => type === 'card') ?? {})
      const answers = async (card_number: string) => {
        const changed = { id, card: { card_number } }
        const path = `/payment_methods/${id}`
        const tried = [
          await core.send('PUT', '/payment_methods', [changed]),
          await core.send('PUT', `/customers/${customer.id}`, { payment_methods: [changed] }),
          await core.send('PUT', path, { card: { card_number } }, { dryRun: true }),
          await core.send(
            'PUT',
            '/payment_methods',
            { card: { card_number } },
            { query: `mode=query&id=${id}` },
          ),
        ]
        return tried.map(({ status, body }) => JSON.stringify([status, body]))
      }
      const right = await answers('4242424242424242')
      expect(right).to.deep.equal(await answers('5555555555554444'))
      for (const answer of right) expect(answer).to.match(/^\[400/)
    })

    it('is not compared with earlier payments in the dry run of a payment', async () => {
      const manager = await keyOf({ manage: true })
      const { body } = await ask(
        manager,
        'GET',
        `/processing_accounts/${shop}?fields=processing[settings][*]`,
      )
      const settings = /"id":"(ps_\w+)"/.exec(JSON.stringify(body))?.[1]
      await core.ok('PUT', `/processing_settings/${settings}`, {
        duplicate_window: 86_400,
        risk_check_enabled: true,
      })
      for (let count = 1; count <= 6; count++) await pay(core, shop, 100 + count)
      const tried = async (number: string, amount: number) => {
        const payment = { type: 'payment', amount, processing_id: shop, payment_method: card(number) }
        const principal: Principal = { kind: 'key', id: 'key_x', manage: true }
        const answer = await core.send('POST', '/transactions', payment, { dryRun: true, principal })
        return [answer.status, answer.body.status_code, answer.body.risk_score]
      }
      expect(await tried('4242424242424242', 101)).to.deep.equal(await tried('5555555555554444', 101))
      await core.ok('PUT', `/processing_settings/${settings}`, {
        duplicate_window: null,
        risk_check_enabled: null,
      })
    })

    it('is not compared with earlier payments in a payment that is rolled back', async () => {
      const made = await core.ok('GET', `/processing_accounts/${shop}`, undefined, {
        query: 'fields=processing[settings][*]',
      })
      const settings = /"id":"(ps_\w+)"/.exec(JSON.stringify(made))?.[1]
      await core.ok('PUT', `/processing_settings/${settings}`, { duplicate_window: 86_400 })
      await pay(core, shop, 77)
      const key = await keyOf({ processing_ids: [shop] })
      const customer = idOf((await ask(key, 'POST', '/customers', { name: 'Ada Park' })).body)
      const items = [{ entry_type: 'charge', amount: 5, description: 'A book' }]
      const billed = { customer_id: customer, processing_id: shop, items }
      const invoice_id = idOf((await ask(key, 'POST', '/invoices', billed)).body)
      const linked = { amount: 77, processing_id: shop, type: 'one_time' }
      const payment_link_id = idOf((await ask(key, 'POST', '/payment_links', linked)).body)
      const payment = (number: string): JsonObject => ({
        type: 'payment',
        amount: 77,
        processing_id: shop,
        payment_method: card(number),
      })
      const tried = async (number: string) => {
        const allocations = [{ entry_type: 'payment', invoice_id, amount: 77 }]
        const beyond = { ...payment(number), allocations }
        const twice = [payment(number), payment('4111111111111111')].map((each) => ({
          ...each,
          payment_link_id,
        }))
        const principal: Principal = { kind: 'key', id: 'key_x', manage: false, processingIds: [shop] }
        const found: string[] = []
        for (const body of [beyond, [beyond], twice]) {
          const answer = await core.send('POST', '/transactions', body, { principal })
          found.push(`${answer.status} ${JSON.stringify(answer.body.details)}`)
        }
        return found
      }
      const [wrong, right] = [await tried('5555555555554444'), await tried('4242424242424242')]
      await core.ok('PUT', `/processing_settings/${settings}`, { duplicate_window: null })
      expect(right).to.deep.equal(wrong)
    })
  })
})
