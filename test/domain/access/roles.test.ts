import { expect } from 'chai'
import { principalOfOperator } from '../../../src/domain/access/operators/operator-principal.js'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { ApiResponse } from '../../../src/engine/core/request/request.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type SendOptions, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'

describe('what the role of an operator allows', () => {
  onEachDatabase((open) => {
    let core: TestCore
    let shop: string
    let count = 0
    before(async () => {
      core = await openCore(open)
      await core.ok('POST', '/orgs', {
        name: 'Corner Books',
        industry: 'books',
        org_type: 'business',
        timezone: 'America/New_York',
      })
      shop = await makeProcessing(core)
    })

    /** A new operator, as they are now. */
    const person = async (role: string, more: JsonObject = {}): Promise<Principal> => {
      const body = { name: 'Ada Park', email: `ada${++count}@example.com`, role, ...more }
      return await asNow(idOf(await core.ok('POST', '/admin/operators', body)))
    }
    const asNow = async (id: string): Promise<Principal> =>
      await core.environment.core.read(async (work) => {
        const row = await work.find(resources.operator, id)
        if (!row) throw new Error(`No operator ${id}`)
        return principalOfOperator(row)
      })
    const as =
      (principal: Principal) =>
      async (method: Method, path: string, body?: JsonObject | JsonObject[], more: SendOptions = {}) =>
        await core.send(method, path, body, { principal, ...more })
    const payment = (amount: number, more: JsonObject = {}) => ({
      type: 'payment',
      amount,
      processing_id: shop,
      payment_method: card(),
      ...more,
    })
    const refund = (id: string, amount: number) => ({
      type: 'refund',
      amount,
      ledger: [{ assoc_transaction_id: id }],
    })
    const refusal = ({ status, body }: ApiResponse) =>
      status === 403 ? String(body.error_description) : `${status} ${JSON.stringify(body)}`
    const taken = async (amount: number, more: JsonObject = {}) =>
      idOf(await core.ok('POST', '/transactions', payment(amount, more)))

    it('lets a cashier take, capture, refund and void payments, and a viewer none of it', async () => {
      const authorized = { status: 'authorized' }
      const cashier = as(await person('cashier'))
      const viewer = as(await person('viewer'))
      const body = payment(5)
      expect(refusal(await viewer('POST', '/transactions', body))).to.equal(
        '/transactions needs the role cashier; yours is viewer',
      )
      const paid = await cashier('POST', '/transactions', body)
      expect(paid.status).to.equal(200)
      for (const [path, sent] of [
        ['/transactions', refund(idOf(paid.body), 2)],
        [`/transactions/${await taken(5, authorized)}/capture`, {}],
      ] as const) {
        expect((await viewer('POST', path, sent)).status).to.equal(403)
        expect(refusal(await cashier('POST', path, sent))).to.match(/^200 /)
      }
      for (const status of ['voided', 'processed']) {
        const path = `/transactions/${await taken(5, authorized)}`
        expect((await viewer('PUT', path, { status })).status).to.equal(403)
        expect(refusal(await cashier('PUT', path, { status }))).to.match(/^200 /)
      }
    })

    it('keeps credits, and refunds of no payment, for managers', async () => {
      const cashier = as(await person('cashier'))
      const manager = as(await person('manager'))
      const needed = 'The verb credit needs the role manager; yours is cashier'
      const credit = { type: 'credit', amount: 5, processing_id: shop, payment_method: card() }
      expect(refusal(await cashier('POST', '/transactions', credit))).to.equal(needed)
      expect((await manager('POST', '/transactions', credit)).status).to.equal(200)
      const blind = { ...credit, type: 'refund' }
      expect(refusal(await cashier('POST', '/transactions', blind))).to.equal(needed)
      const listed = [payment(1), credit]
      expect(refusal(await cashier('POST', '/transactions', listed))).to.equal(needed)
    })

    it('judges each object that is nested in a body', async () => {
      const cashier = as(await person('cashier'))
      const settings = { processing: { fee_percent: 0 } }
      const refused: readonly (readonly [Method, string, JsonObject, string])[] = [
        ['PUT', `/processing_accounts/${shop}`, settings, '/processing_accounts needs the role owner'],
        [
          'POST',
          '/transactions',
          payment(1, { processing: { id: shop, ...settings } }),
          'needs the role owner',
        ],
        [
          'POST',
          '/transactions',
          payment(1, { reader: { name: 'Front' } }),
          '/readers needs the role manager',
        ],
        [
          'POST',
          '/invoices',
          { items: [{ amount: 5, payment: payment(5) }] },
          '/invoices needs the role manager',
        ],
        [
          'POST',
          `/processing_accounts/${shop}/payment_methods`,
          { type: 'bank_account' },
          'The verb redirect',
        ],
        [
          'POST',
          '/transactions',
          payment(1, { friends: { name: 'Bob' } }),
          '/transactions needs the role owner',
        ],
      ]
      for (const [method, path, body, reason] of refused)
        expect(refusal(await cashier(method, path, body)), JSON.stringify(body)).to.contain(reason)
      const customer = await cashier('POST', '/customers', { name: 'Grace', payment_methods: [card()] })
      expect(customer.status, JSON.stringify(customer.body)).to.equal(200)
    })

    it('lets a cashier take a payment for an invoice, which makes line items only there', async () => {
      const cashier = as(await person('cashier'))
      const invoice = idOf(
        await core.ok('POST', '/invoices', {
          processing_id: shop,
          customer_id: await makeCustomer(core, shop),
          items: [{ entry_type: 'charge', amount: 5 }],
        }),
      )
      const body = payment(5, { allocations: [{ invoice_id: invoice, amount: 5 }] })
      expect(refusal(await cashier('POST', '/transactions', body))).to.match(/^200 /)
      const item = { invoice_id: invoice, amount: 5 }
      expect(refusal(await cashier('POST', '/line_items', item))).to.contain(
        '/line_items needs the role manager',
      )
    })

    it('keeps processing accounts for owners, also by the path of all accounts', async () => {
      const manager = as(await person('manager'))
      const needed = '/accounts needs the role owner; yours is manager'
      const changes: readonly (readonly [Method, string, JsonObject])[] = [
        ['PUT', `/accounts/${shop}`, { processing: { status: 'inactive' } }],
        ['PUT', '/accounts', { transaction_limit: 99_999 }],
        ['DELETE', `/accounts/${shop}`, {}],
        ['POST', '/accounts', { type: 'processing', name: 'Mine', processing: { industry: 'books' } }],
      ]
      for (const [method, path, body] of changes)
        expect(refusal(await manager(method, path, body)), `${method} ${path}`).to.equal(needed)
      expect((await manager('POST', '/customers', { name: 'Grace' })).status).to.equal(200)
    })

    it('judges changes and deletions of everything that filters find', async () => {
      const cashier = as(await person('cashier'))
      const query = { query: 'mode=query&amount=>0' }
      expect(refusal(await cashier('PUT', '/transactions', { description: 'x' }, query))).to.equal(
        'The verb change needs the role manager; yours is cashier',
      )
      expect(refusal(await cashier('DELETE', '/invoices', undefined, query))).to.equal(
        '/invoices needs the role manager; yours is cashier',
      )
    })

    it('judges a batch by its rows, before one is done', async () => {
      const cashier = as(await person('cashier'))
      const batch = (id: string, kind: string) => ({ id, as: kind, content: id, rows: 1 })
      const rows = (id: string, kind: string, body: JsonObject) => ({
        id,
        as: kind,
        rows: [{ row: 2, body }],
      })
      for (const kind of ['payment', 'credit', 'invoice'])
        expect((await cashier('POST', '/admin/batches', batch(`${kind}.csv`, kind))).status).to.equal(200)
      const send = async (kind: string, body: JsonObject) =>
        await cashier('POST', '/admin/batches/rows', rows(`${kind}.csv`, kind, body))
      const credit = { amount: 5, processing_id: shop, payment_method: card() }
      expect(refusal(await send('credit', credit))).to.contain('The verb credit needs the role manager')
      expect(refusal(await send('invoice', { name: 'x' }))).to.contain('/invoices needs the role manager')
      const done = await send('payment', payment(5))
      expect(refusal(done)).to.contain('"status":"done"')
    })

    it('limits what a cashier moves by one request', async () => {
      const cashier = as(await person('cashier', { limit_each: 20 }))
      const beyond = 'The limit of a request is 20.00, and this is 20.01'
      expect((await cashier('POST', '/transactions', payment(20))).status).to.equal(200)
      expect(refusal(await cashier('POST', '/transactions', payment(20.01)))).to.equal(beyond)
      const list = await cashier('POST', '/transactions', [payment(10), payment(10.01)])
      expect(refusal(list)).to.equal(beyond)
      const large = await taken(20.01, { status: 'authorized' })
      expect(refusal(await cashier('POST', `/transactions/${large}/capture`, {}))).to.equal(beyond)
      expect(refusal(await cashier('PUT', `/transactions/${large}`, { status: 'voided' }))).to.equal(beyond)
      expect((await cashier('POST', `/transactions/${large}/capture`, { amount: 20 })).status).to.equal(200)
      const query = { query: 'mode=query&status=authorized' }
      expect(refusal(await cashier('PUT', '/transactions', { status: 'voided' }, query))).to.contain(
        'the amount of void is unknown',
      )
      const batch = { id: 'limited.csv', as: 'payment', content: 'x', rows: 2 }
      await cashier('POST', '/admin/batches', batch)
      const rows = [payment(20), payment(20.01)].map((body, index) => ({ row: index + 2, body }))
      const { body } = await cashier('POST', '/admin/batches/rows', { id: batch.id, as: batch.as, rows })
      expect(JSON.stringify(body.rows)).to.contain(beyond).and.to.contain('"status":"done"')
    })

    it('limits what a cashier moves in a day of the organization', async () => {
      const own = await openCore(open)
      await own.ok('POST', '/orgs', {
        name: 'Corner Books',
        industry: 'books',
        org_type: 'business',
        timezone: 'America/New_York',
      })
      const store = await makeProcessing(own)
      const ada = { name: 'Ada', email: 'ada@example.com', role: 'cashier', limit_day: 50 }
      const id = idOf(await own.ok('POST', '/admin/operators', ada))
      const limits = { each: null, day: 5000 }
      const principal: Principal = { kind: 'operator', id, role: 'cashier', manage: false, limits }
      const send = async (method: Method, path: string, body: JsonObject | JsonObject[]) =>
        await own.send(method, path, body, { principal })
      const pay = async (amount: number, more: JsonObject = {}) =>
        await send('POST', '/transactions', { ...payment(amount, more), processing_id: store })
      const moveTo = async (datetime: string) => await own.ok('POST', '/admin/clock', { to: datetime })
      await moveTo('2030-07-01 12:00:00')

      const held = await pay(30, { status: 'authorized' })
      expect(held.status).to.equal(200)
      expect(refusal(await pay(20.01))).to.equal(
        'The limit of a day is 50.00: 30.00 was moved today, and this is 20.01',
      )
      // A declined payment moved nothing.
      expect((await pay(15, { payment_method: card('4111111111119903') })).status).to.equal(400)
      expect((await pay(20)).status).to.equal(200)
      // What was taken today has counted: to capture or void it adds nothing.
      const second = `/transactions/${idOf(held.body)}`
      expect(refusal(await send('POST', `${second}/capture`, { amount: 30 }))).to.match(/^200 /)
      expect((await pay(0.01)).status).to.equal(403)
      expect(refusal(await send('PUT', second, { status: 'voided' }))).to.match(/^200 /)
      // A voided payment does not count any longer.
      expect((await pay(30)).status).to.equal(200)
      // A payment that another one took counts when it is refunded or voided.
      const others = idOf(await own.ok('POST', '/transactions', { ...payment(1), processing_id: store }))
      expect(refusal(await send('PUT', `/transactions/${others}`, { status: 'voided' }))).to.contain(
        '50.00 was moved',
      )
      expect(refusal(await send('POST', '/transactions', refund(others, 1)))).to.contain('50.00 was moved')
      // Midnight in New York is 04:00 UTC in July.
      await moveTo('2030-07-02 03:59:59')
      expect((await pay(1)).status).to.equal(403)
      await moveTo('2030-07-02 04:00:00')
      expect((await pay(50)).status).to.equal(200)
      expect((await pay(0.01)).status).to.equal(403)
    })

    it('lets two requests at once not pass a limit together', async () => {
      const ada = await person('cashier', { limit_day: 50 })
      const cashier = as(ada)
      const answers = await Promise.all([1, 2, 3, 4].map(() => cashier('POST', '/transactions', payment(20))))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 403, 403])
    })

    it('answers a repeated request as before, and counts it once', async () => {
      const cashier = as(await person('cashier', { limit_day: 50 }))
      const body = payment(30)
      const first = await cashier('POST', '/transactions', body, { idempotencyKey: 'once' })
      const again = await cashier('POST', '/transactions', body, { idempotencyKey: 'once' })
      expect(again.body.id).to.equal(first.body.id)
      expect((await cashier('POST', '/transactions', payment(20))).status).to.equal(200)
    })

    it('keeps operators who are narrowed to accounts to these', async () => {
      const other = await makeProcessing(core)
      const cashier = as(await person('cashier', { processing_ids: [other] }))
      const paid = await taken(5)
      expect((await cashier('GET', `/transactions/${paid}`)).status).to.equal(404)
      expect((await cashier('POST', '/transactions', refund(paid, 1))).status).to.equal(400)
      expect((await cashier('POST', '/transactions', payment(5))).status).to.equal(403)
      expect((await cashier('POST', '/transactions', payment(5, { processing_id: other }))).status).to.equal(
        200,
      )
      expect(refusal(await cashier('GET', '/admin/status'))).to.equal(
        '/admin/status is closed to operators that are narrowed to processing accounts',
      )
      const boss = as(await person('owner', { processing_ids: [other] }))
      for (const [path, body] of [
        ['/admin/operators', { name: 'Bob', email: 'bob@example.com', role: 'owner' }],
        ['/admin/keys', { manage: true }],
        ['/admin/keys', {}],
      ] as const)
        expect((await boss('POST', path, body)).status, path).to.equal(403)
    })
  })
})
