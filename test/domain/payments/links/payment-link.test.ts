import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { narrowed } from '../../../engine/core/merchants.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { makeCustomer, makeProcessing } from '../../../support/examples.js'
import { bill, openShop, type Shop } from '../../billing/invoices.js'
import { eventsOf } from '../books.js'

const START = Date.UTC(2026, 10, 21, 12)
const TOMORROW = '2026-11-22 12:00:00'

describe('payment links', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop

    beforeEach(async () => {
      core = await openCore(open, {
        clock: { now: () => START },
        publicAddress: 'https://pay.example.com/shop',
      })
      shop = await openShop(core)
    })

    const make = async (body: JsonObject = {}) =>
      await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing, ...body })
    const put = async (link: JsonObject, body: JsonObject) =>
      await core.send('PUT', `/payment_links/${idOf(link)}`, body)
    const detailsOf = async (body: JsonObject) => {
      const answer = await core.send('POST', '/payment_links', body)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(400)
      return answer.body.details
    }

    it('request an amount at their own address', async () => {
      const made = await make({ amount: '29.99', description: 'A book', checkout_options: { colour: 'red' } })
      expect(made).to.deep.include({
        object: 'payment_link',
        type: 'one_time',
        amount: 29.99,
        description: 'A book',
        status: 'active',
        processing_id: shop.processing,
        customer_id: null,
        invoice_id: null,
        expires_at: null,
        checkout_options: { colour: 'red' },
        url: `https://pay.example.com/shop/pay/${made.id}`,
      })
      expect(made.id).to.match(/^plnk_/)
      expect(await eventsOf(core, idOf(made))).to.deep.equal(['payment_link:status active'])
    })

    it('request the amount due of an invoice, for its customer and account', async () => {
      const invoice = await bill(shop, [10, 5])
      const made = await make({
        amount: null,
        processing_id: null,
        invoice_id: idOf(invoice),
        type: 'reusable',
      })
      expect(made).to.include({
        type: 'reusable',
        amount: 15,
        invoice_id: invoice.id,
        customer_id: shop.customer,
        processing_id: shop.processing,
      })
      const read = await core.ok('GET', `/payment_links/${made.id}`, undefined, {
        query: 'fields=invoice,customer',
      })
      expect(read).to.have.nested.include({ 'invoice.amount_due': 15, 'customer.id': shop.customer })
    })

    it('need either an amount or an invoice', async () => {
      const invoice_id = idOf(await bill(shop, [10]))
      const other = await makeProcessing(core)
      const stranger = await makeCustomer(core, shop.processing, 'Eve')
      const cases: [JsonObject, JsonObject][] = [
        [{}, { amount: 'Required' }],
        [{ amount: 5, invoice_id }, { amount: 'Must not be sent with invoice_id' }],
        [{ amount: 0 }, { amount: 'Must be greater than 0' }],
        [{ invoice_id: 'inv_nobody' }, { invoice_id: 'Not found' }],
        [{ invoice_id, invoice: { id: invoice_id } }, { invoice: 'Must not be sent with invoice_id' }],
        [{ invoice_id, customer_id: stranger }, { customer_id: "Must be the invoice's" }],
        [{ invoice_id, customer: { name: 'Eve' } }, { customer: "Must be the invoice's" }],
        [{ invoice_id, processing_id: other }, { processing_id: "Must be the invoice's" }],
        [{ amount: 5, customer_id: 'acct_nobody' }, { customer_id: 'Not found' }],
        [{ amount: 5, customer_id: shop.processing }, { customer_id: 'Not found' }],
        [{ amount: 5, processing_id: 'acct_nobody' }, { processing_id: 'Not found' }],
        [{ amount: 5, status: 'completed' }, { status: 'Must be one of: active, inactive' }],
        [{ amount: 5, expires_at: '2026-11-21 12:00:00' }, { expires_at: 'Must be in the future' }],
        [{ amount: 5, url: 'https://evil.example' }, { url: 'Read only' }],
        [{ amount: 5, type: 'forever' }, { type: 'Must be one of: one_time, reusable, method' }],
      ]
      for (const [body, details] of cases)
        expect(await detailsOf(body), JSON.stringify(body)).to.deep.equal(details)
    })

    it('request only payer data that a page can request', async () => {
      const shape = 'Must be a list of objects with label, name and required'
      const many = Array.from({ length: 21 }, (_, index) => ({ label: `Field ${index}` }))
      for (const [asked, problem] of [
        ['Student', shape],
        [[{ name: 'student' }], shape],
        [[{ label: 'x'.repeat(201) }], shape],
        [[{ section: 'A', fields: ['x'] }], shape],
        [[{ label: 'A' }, { title: 'A' }], 'Must name each field once'],
        [many, 'Must have at most 20 fields'],
        // Names copied from a document with invisible characters, which would break the payment page.
        [[{ label: 'Stu\u200edent' }], 'Must have names without control characters'],
        [[{ label: 'Class', name: 'a\u0007' }], 'Must have names without control characters'],
        [[{ label: '4242 4242 4242 4242' }], 'Must not hold a card number'],
        [[{ label: 'Builder', name: 'constructor' }], 'Must have no name constructor'],
      ] as const) {
        const body: JsonObject = { amount: 20, additional_datafields: JSON.parse(JSON.stringify(asked)) }
        expect(await detailsOf(body)).to.deep.equal({ additional_datafields: problem })
      }
      const none = { card_payments: false, bank_account_payments: false }
      expect(await detailsOf({ amount: 20, checkout_options: none })).to.deep.equal({
        checkout_options: 'Must allow card or bank account payments',
      })
      const made = await make({ additional_datafields: [{ section: 'Test', fields: [{ title: 'Test' }] }] })
      expect((await put(made, { checkout_options: { card_payments: 'no' } })).body.details).to.deep.equal({
        checkout_options: 'card_payments and bank_account_payments must be true or false',
      })
    })

    it('go to the account that a payment would go to', async () => {
      const { customer, processing } = shop
      expect((await make({ processing_id: null, customer_id: customer })).processing_id).to.equal(processing)
      expect((await make({ processing_id: null })).processing_id).to.equal(processing)
      await makeProcessing(core)
      const send = async (...ids: string[]) =>
        await core.send('POST', '/payment_links', { amount: 5 }, { principal: narrowed(...ids) })
      expect((await send(processing)).body.processing_id).to.equal(processing)
      expect((await send(processing, 'acct_2')).body.details).to.deep.equal({ processing_id: 'Required' })
    })

    it('can be created together with their customer or invoice', async () => {
      const customer = { name: 'Eve', primary_processing_id: shop.processing }
      const query = 'fields=*,customer,invoice'
      const send = async (body: JsonObject) => await core.ok('POST', '/payment_links', body, { query })
      expect(await send({ amount: 5, customer })).to.have.nested.include({ 'customer.name': 'Eve' })
      const invoice = { customer_id: shop.customer, items: [{ entry_type: 'charge', amount: 7 }] }
      expect(await send({ invoice })).to.have.nested.include({
        'invoice.amount_due': 7,
        customer_id: shop.customer,
      })
      const principal = { ...narrowed(shop.processing), grants: { payment_links: ['POST'] } } as const
      const trees: JsonObject[] = [{ amount: 5, customer }, { invoice }]
      for (const body of trees) {
        const { status } = await core.send('POST', '/payment_links', body, { principal })
        expect(status).to.equal(403)
      }
    })

    it('can be deactivated and activated again, with an event each time', async () => {
      const made = await make()
      expect((await put(made, { status: 'inactive' })).body.status).to.equal('inactive')
      expect((await put(made, { status: 'inactive' })).status).to.equal(200)
      expect((await put(made, { status: 'active', amount: 25 })).body).to.include({
        status: 'active',
        amount: 25,
      })
      for (const status of ['completed', 'expired'])
        expect((await put(made, { status })).body.details).to.deep.equal({
          status: `Cannot change from active to ${status}`,
        })
      expect(await eventsOf(core, idOf(made))).to.deep.equal([
        'payment_link:status active',
        'payment_link:status inactive',
        'payment_link:status active',
      ])
    })

    it('keep their target', async () => {
      const invoices = await make({ amount: null, invoice_id: idOf(await bill(shop, [10])) })
      const plain = await make()
      const eve = await makeCustomer(core, shop.processing, 'Eve')
      const cases: [JsonObject, JsonObject, JsonObject][] = [
        [invoices, { amount: 5 }, { amount: 'Is the amount due on the invoice' }],
        [invoices, { invoice: { id: 'inv_2' } }, { invoice: 'Read only' }],
        [invoices, { customer: { id: eve } }, { customer: 'Read only' }],
        [plain, { amount: null }, { amount: 'Required' }],
        [plain, { status: null }, { status: 'Required' }],
        [plain, { invoice_id: invoices.invoice_id ?? null }, { invoice_id: 'Read only' }],
        [plain, { customer_id: eve }, { customer_id: 'Read only' }],
        [plain, { type: 'reusable' }, { type: 'Read only' }],
        [plain, { expires_at: '2026-11-01' }, { expires_at: 'Must be in the future' }],
      ]
      for (const [link, body, details] of cases) {
        const answer = await put(link, body)
        expect([answer.status, answer.body.details], JSON.stringify(body)).to.deep.equal([400, details])
      }
      for (const link of [invoices, plain]) {
        const { created_at, modified_at, ...sent } = link
        expect((await put(link, sent)).status).to.equal(200)
      }
    })

    it('expire on time', async () => {
      const made = await make({ expires_at: TOMORROW })
      const down = await make({ expires_at: TOMORROW, status: 'inactive' })
      const later = await make({ expires_at: '2027-01-01' })
      const { done } = await core.ok('POST', '/admin/clock', { by: '2d' })
      expect(done).to.deep.equal([{ at: TOMORROW, job: 'expire_payment_links', count: 1 }])
      const statuses = []
      for (const link of [made, down, later])
        statuses.push((await core.ok('GET', `/payment_links/${idOf(link)}`)).status)
      expect(statuses).to.deep.equal(['expired', 'inactive', 'active'])
      expect(await eventsOf(core, idOf(made))).to.deep.equal([
        'payment_link:status active',
        'payment_link:status expired',
      ])
      const cases: [JsonObject, JsonObject][] = [
        [{ status: 'active' }, { status: 'Cannot change from expired to active' }],
        [{ expires_at: '2027-01-01' }, { expires_at: 'Cannot be changed, the link is expired' }],
        [{ amount: 1 }, { amount: 'Cannot be changed, the link is expired' }],
      ]
      for (const [body, details] of cases) expect((await put(made, body)).body.details).to.deep.equal(details)
      expect((await put(made, { description: 'too late' })).status).to.equal(200)
    })

    it('can be activated again only before they expire', async () => {
      const made = await make({ expires_at: TOMORROW, status: 'inactive' })
      await core.ok('PUT', '/admin/clock', { now: TOMORROW })
      expect((await put(made, { status: 'active' })).body.details).to.deep.equal({
        expires_at: 'Must be in the future',
      })
      expect((await put(made, { status: 'inactive', description: 'over' })).status).to.equal(200)
      expect((await put(made, { status: 'active', expires_at: null })).body.status).to.equal('active')
    })

    it('all expire, whatever their number', async () => {
      const link = { amount: 1, processing_id: shop.processing, expires_at: TOMORROW }
      await core.ok(
        'POST',
        '/payment_links',
        Array.from({ length: 205 }, () => link),
      )
      const { done } = await core.ok('POST', '/admin/clock', { by: '2d' })
      expect(done).to.deep.equal([{ at: TOMORROW, job: 'expire_payment_links', count: 205 }])
    })

    it('can be deleted in any status', async () => {
      const made = await make()
      await core.ok('DELETE', `/payment_links/${made.id}`)
      expect((await core.send('GET', `/payment_links/${made.id}`)).status).to.equal(404)
    })
  })
})
