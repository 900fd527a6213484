import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { countOf, idOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../../support/examples.js'
import { become, bill, openShop, type Shop } from '../../billing/invoices.js'
import { eventsOf } from '../books.js'

describe('payment links and their targets', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    it('require an existing invoice as {id}', async () => {
      const { id = null } = await bill(shop, [15])
      const before = await countOf(core, '/invoices')
      const named: JsonObject[] = [{ id }, { id, object: 'invoice' }]
      for (const invoice of named)
        expect(await core.ok('POST', '/payment_links', { invoice })).to.include({
          invoice_id: id,
          amount: 15,
          customer_id: shop.customer,
        })
      const wrong: [JsonObject, JsonObject][] = [
        [{ id: 'inv_nobody' }, { id: 'Not found' }],
        [
          { id, customer_id: shop.customer, type: 'x' },
          { customer_id: 'Can be changed at its own path only', type: 'Can be changed at its own path only' },
        ],
      ]
      for (const [invoice, details] of wrong)
        expect((await core.send('POST', '/payment_links', { invoice })).body.details).to.deep.equal({
          invoice: details,
        })
      expect(await countOf(core, '/invoices')).to.equal(before)
    })

    it('move with their invoice to another customer and account while they can be paid', async () => {
      const processing_id = await makeProcessing(core, 'Elsewhere')
      const customer_id = await makeCustomer(core, shop.processing, 'Eve')
      const invoice = idOf(await bill(shop, [15]))
      const make = async (more: JsonObject = {}) =>
        idOf(await core.ok('POST', '/payment_links', { invoice_id: invoice, ...more }))
      const link = await make()
      const inactive = await make({ status: 'inactive' })
      await core.ok('PUT', `/invoices/${invoice}`, { customer_id, processing_id })
      for (const id of [link, inactive])
        expect(await core.ok('GET', `/payment_links/${id}`)).to.include({ customer_id, processing_id })
      const payment = { type: 'payment', amount: 15, payment_link_id: link, payment_method: card() }
      const paid = await core.ok('POST', '/transactions', payment)
      expect(paid).to.include({ customer_id, processing_id })
      await become(core, paid, 'voided')
      await core.ok('PUT', `/invoices/${invoice}`, { customer_id: shop.customer })
      expect(await core.ok('GET', `/payment_links/${link}`)).to.include({ customer_id, status: 'completed' })
    })

    it('can be sent back as read, even with no amount due', async () => {
      const invoice = await bill(shop, [15])
      const link = await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice) })
      const discount = { invoice_id: idOf(invoice), entry_type: 'charge', amount: -15 }
      await core.ok('POST', '/line_items', discount)
      const path = `/payment_links/${idOf(link)}`
      expect(await core.ok('PUT', path, { ...link, description: 'new' })).to.include({ description: 'new' })
      const plain = await core.ok('POST', '/payment_links', { amount: 5 })
      for (const amount of [0, -5])
        expect(
          (await core.send('PUT', `/payment_links/${idOf(plain)}`, { amount })).body.details,
        ).to.deep.equal({ amount: 'Must be greater than 0' })
    })

    it('are refused for an invoice with no amount due', async () => {
      for (const amounts of [[], [15, -15]]) {
        const invoice = await bill(shop, amounts)
        const { status, body } = await core.send('POST', '/payment_links', { invoice_id: idOf(invoice) })
        expect([status, body.details]).to.deep.equal([400, { invoice_id: 'Nothing is due' }])
      }
    })

    it('become inactive when the client key of their page is deleted', async () => {
      const key = { type: 'client', intent: { checkout_page: { amount: 5, description: 'A page' } } }
      const made = idOf(await core.ok('POST', '/access_tokens', key))
      const [link] = valuesOf(
        await core.ok('GET', '/payment_links', undefined, { query: 'description=A page' }),
      )
      await core.ok('DELETE', `/access_tokens/${made}`)
      expect(await eventsOf(core, idOf(link ?? {}))).to.deep.equal([
        'payment_link:status active',
        'payment_link:status inactive',
      ])
    })
  })
})
