import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing } from '../../support/examples.js'
import { become, bill, openShop, payWith, type Shop } from './invoices.js'

describe('invoices', () => {
  onDatabases((open) => {
    let now = Date.parse('2030-03-10T12:00:00Z')
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open, { clock: { now: () => now } })
      shop = await openShop(core)
    })

    const show = (invoice: JsonObject) => core.ok('GET', `/invoices/${idOf(invoice)}`)
    const change = (invoice: JsonObject, body: JsonObject) =>
      core.send('PUT', `/invoices/${idOf(invoice)}`, body)
    const statusOf = async (invoice: JsonObject) => (await show(invoice)).status

    it("are paid to the customer's processing account, and bill the customer", async () => {
      const invoice = await bill(shop, [10], { description: 'March', due_date: '03/31/2030', type: 'books' })
      expect(invoice).to.include({
        object: 'invoice',
        processing_id: shop.processing,
        due_date: '2030-03-31',
        description: 'March',
        type: 'books',
        paid_timestamp: null,
        billing_schedule_id: null,
      })
      const account = await core.ok('GET', `/processing_accounts/${shop.processing}`)
      expect(invoice.processing_settings_id).to.equal(objectOf(objectOf(account.processing).settings).id)
      expect(invoice.billing_contact).to.deep.equal({
        name: 'Ada Park',
        email: 'ada@example.com',
        street_address1: '1 Main Street',
        city: 'New York',
        state_province: 'NY',
        postal_code: '10001',
      })
    })

    it('are paid to the account that a payment of the customer would go to', async () => {
      const alone = await openCore(open)
      const processing = await makeProcessing(alone)
      const customer = idOf(await alone.ok('POST', '/customers', { name: 'Nobody special' }))
      const invoice = await alone.ok('POST', '/invoices', { customer_id: customer })
      expect(invoice).to.include({ processing_id: processing, status: 'pending', total_due: 0 })
      expect(invoice.billing_contact).to.include({ name: 'Nobody special', email: null, city: null })
    })

    it('need an existing customer and account', async () => {
      const wrong: [JsonObject, JsonObject][] = [
        [{}, { customer_id: 'Required' }],
        [{ customer_id: 'acct_1' }, { customer_id: 'Not found' }],
        [{ customer_id: shop.processing }, { customer_id: 'Not found' }],
        [{ customer_id: shop.customer, processing_id: 'acct_1' }, { processing_id: 'Not found' }],
        [{ customer_id: shop.customer, processing_id: shop.customer }, { processing_id: 'Not found' }],
        [{ customer_id: shop.customer, billing_schedule_id: 'bscd_1' }, { billing_schedule_id: 'Not found' }],
        [{ customer_id: shop.customer, total_due: 5 }, { total_due: 'Read only' }],
        [{ customer_id: shop.customer, status: 'paid' }, { status: 'Read only' }],
        [
          { customer_id: shop.customer, customer: { name: 'A' } },
          { customer: 'Must not be sent with customer_id' },
        ],
      ]
      for (const [body, details] of wrong) {
        const answer = await core.send('POST', '/invoices', body)
        expect(answer.body.details, JSON.stringify(body)).to.deep.equal(details)
        expect(answer.status).to.equal(400)
      }
    })

    it('change from pending to partially_paid to paid, and back', async () => {
      const invoice = await bill(shop, [30])
      expect(await statusOf(invoice)).to.equal('pending')
      const first = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }])
      expect(await show(invoice)).to.include({ status: 'partially_paid', paid_timestamp: null })
      const second = await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      expect(await show(invoice)).to.include({ status: 'paid', paid_timestamp: '2030-03-10' })
      await become(core, second, 'voided')
      expect(await show(invoice)).to.include({ status: 'partially_paid', paid_timestamp: null })
      await become(core, first, 'voided')
      expect(await statusOf(invoice)).to.equal('pending')
    })

    it('keep the day of their payment, and are paid if the amount due is zero', async () => {
      const free = await bill(shop, [10, -10])
      expect(free).to.include({ status: 'paid', paid_timestamp: '2030-03-10' })
      now += 86_400_000
      expect((await change(free, { items: [{ entry_type: 'charge', amount: 0 }] })).body).to.include({
        status: 'paid',
        paid_timestamp: '2030-03-10',
      })
      now -= 86_400_000
    })

    it("are overdue after the end of their due date, in the organization's time zone", async () => {
      const org = await core.ok('POST', '/orgs', {
        name: 'Tokyo Books',
        org_type: 'company',
        industry: 'books',
        timezone: 'Asia/Tokyo',
      })
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id: idOf(org) })
      const elsewhere = await makeProcessing(core, 'Elsewhere')
      const type = 'zones'
      const tokyo = await bill(shop, [10], { due_date: '2030-03-10', type })
      const york = await bill(shop, [10], { due_date: '2030-03-10', type, processing_id: elsewhere })
      const overdue = async () =>
        valuesOf(await core.ok('GET', '/invoices', undefined, { query: `status=overdue&type=${type}` })).map(
          idOf,
        )
      const at = async (moment: string) => {
        now = Date.parse(moment)
        return await overdue()
      }
      expect(await at('2030-03-10T14:59:59Z')).to.deep.equal([])
      expect(await at('2030-03-10T15:00:00Z')).to.deep.equal([tokyo.id])
      // Clocks in New York go forward on this day, so it ends four hours after UTC's.
      expect(await at('2030-03-11T03:59:59Z')).to.deep.equal([tokyo.id])
      expect(await at('2030-03-11T04:00:00Z')).to.have.members([tokyo.id, york.id])

      now = Date.parse('2030-03-10T16:00:00Z')
      await core.ok('PUT', `/orgs/${org.id}`, { timezone: 'Europe/Berlin' })
      expect(await overdue()).to.deep.equal([])
      await core.ok('PUT', `/orgs/${org.id}`, { timezone: 'Pacific/Kiritimati' })
      expect(await overdue()).to.deep.equal([tokyo.id])
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id: null })
      expect(await overdue()).to.deep.equal([])
    })

    it('are overdue by their changed due date', async () => {
      now = Date.parse('2030-03-12T12:00:00Z')
      const invoice = await bill(shop, [10], { due_date: '2030-03-11' })
      expect(invoice).to.include({ status: 'overdue' })
      expect((await change(invoice, { due_date: '2030-03-12' })).body).to.include({ status: 'pending' })
      expect((await change(invoice, { due_date: null })).body).to.include({ status: 'pending' })
      expect((await change(invoice, { due_date: '2030-01-01' })).body).to.include({ status: 'overdue' })
      await payWith(shop, 4, [{ invoice_id: idOf(invoice) }])
      expect(await statusOf(invoice)).to.equal('overdue')
      await payWith(shop, 6, [{ invoice_id: idOf(invoice) }])
      expect(await statusOf(invoice)).to.equal('paid')
      expect((await change(await bill(shop, []), { due_date: '9999-12-31' })).body).to.include({
        status: 'pending',
      })
    })

    it('can be filtered and sorted by status', async () => {
      const type = 'sorted'
      const pending = await bill(shop, [10], { type })
      const overdue = await bill(shop, [10], { type, due_date: '2030-01-01' })
      const partly = await bill(shop, [10], { type })
      const paid = await bill(shop, [10], { type })
      await payWith(shop, 11, [{ invoice_id: idOf(partly), amount: 1 }, { invoice_id: idOf(paid) }])
      const find = async (query: string) =>
        valuesOf(await core.ok('GET', '/invoices', undefined, { query: `type=${type}&${query}` })).map(idOf)
      expect(await find('order_by=status')).to.deep.equal([overdue, paid, partly, pending].map(idOf))
      expect(await find('order_by=-status')).to.deep.equal([pending, partly, paid, overdue].map(idOf))
      expect(await find('status=paid')).to.deep.equal([paid.id])
      expect(await find('status=!paid&order_by=id')).to.deep.equal([pending, overdue, partly].map(idOf))
      expect(await find('status=overdue|partially_paid&order_by=id')).to.deep.equal(
        [overdue, partly].map(idOf),
      )
      expect(await find('amount_due=>9&order_by=id')).to.deep.equal([pending, overdue].map(idOf))
      expect(await find('items[transaction_id]=!&order_by=id')).to.deep.equal([partly, paid].map(idOf))
    })

    it('can be moved to another customer before a payment', async () => {
      const other = await makeCustomer(core, shop.processing, 'Grace Hall')
      const invoice = await bill(shop, [10])
      const { body } = await change(invoice, { customer_id: other })
      expect(body.billing_contact).to.include({ name: 'Grace Hall', city: null })
      await payWith(shop, 1, [{ invoice_id: idOf(invoice) }])
      const elsewhere = await makeProcessing(core, 'Elsewhere')
      const changes: JsonObject[] = [{ customer_id: shop.customer }, { processing_id: elsewhere }]
      for (const wrong of changes) {
        const answer = await change(invoice, wrong)
        const [name = ''] = Object.keys(wrong)
        expect(answer.body.details).to.deep.equal({ [name]: 'Cannot be changed once something is paid' })
      }
    })

    it('can be moved to another account before a payment', async () => {
      const elsewhere = await makeProcessing(core, 'Elsewhere')
      const settings = (await core.ok('GET', `/processing_accounts/${elsewhere}`)).processing
      const invoice = await bill(shop, [10])
      expect((await change(invoice, { processing_id: elsewhere })).body).to.include({
        processing_id: elsewhere,
        processing_settings_id: objectOf(objectOf(settings).settings).id,
      })
      expect((await change(invoice, { processing_id: null })).body.details).to.deep.equal({
        processing_id: 'Required',
      })
    })

    it('keep settings that are reserved to their account', async () => {
      const invoice = await bill(shop, [10])
      expect((await change(invoice, { processing_settings: null })).body.details).to.deep.equal({
        processing_settings: 'Read only',
      })
    })

    it('can be sent back without any change', async () => {
      const invoice = await bill(shop, [10, 20])
      await payWith(shop, 5, [{ invoice_id: idOf(invoice) }])
      const query = 'fields=*,customer,attachments,processing_settings'
      const whole = await core.ok('GET', `/invoices/${invoice.id}`, undefined, { query })
      const { modified_at: _, ...sent } = whole
      expect(await core.ok('PUT', `/invoices/${invoice.id}`, sent, { query })).to.deep.include(sent)
    })

    it('are deleted with their items, unless an amount is paid', async () => {
      const invoice = await bill(shop, [10])
      const paid = await payWith(shop, 4, [{ invoice_id: idOf(invoice) }])
      const path = `/invoices/${invoice.id}`
      expect((await core.send('DELETE', path)).body.details).to.deep.equal({
        total_paid: 'An invoice of which 4.00 is paid is not deleted',
      })
      await become(core, paid, 'voided')
      expect(await core.ok('DELETE', path)).to.include({ id: invoice.id })
      expect((await core.send('GET', path)).status).to.equal(404)
      expect(
        valuesOf(await core.ok('GET', '/line_items', undefined, { query: `invoice_id=${invoice.id}` })),
      ).to.deep.equal([])
    })

    it('cannot be deleted while a pending payment may pay them', async () => {
      const invoice = await bill(shop, [10])
      const held = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }], { status: 'authorized' })
      const path = `/invoices/${invoice.id}`
      const { status, body } = await core.send('DELETE', path)
      expect([status, body.details]).to.deep.equal([
        400,
        { id: `The payment ${held.id} is authorized and is to pay this invoice: capture or void it first` },
      ])
      await become(core, held, 'voided')
      await core.ok('DELETE', path)
    })
  })
})
