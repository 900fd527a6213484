import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { bill, openShop, payWith, type Shop, totals, totalsOf } from './invoices.js'

describe('line items', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const itemsOf = (invoice: JsonObject) => listOf(invoice.items).map(objectOf)
    const put = (invoice: JsonObject, items: JsonObject[]) =>
      core.send('PUT', `/invoices/${invoice.id}`, { items })
    const detailsOf = async (answer: Promise<{ status: number; body: JsonObject }>) => {
      const { status, body } = await answer
      expect(status, JSON.stringify(body)).to.equal(400)
      return body.details
    }

    it('are sent with their invoice and determine its totals', async () => {
      const invoice = await core.ok('POST', '/invoices', {
        customer_id: shop.customer,
        items: [
          { entry_type: 'charge', amount: 12.5, qty: 3, description: 'Books' },
          { entry_type: 'charge', amount: 4.99 },
          { entry_type: 'charge', amount: -2.49, description: 'Discount' },
        ],
      })
      expect(invoice).to.include(totals(40, 0, 'pending'))
      expect(itemsOf(invoice).map(({ amount, qty, total }) => [amount, qty, total])).to.deep.equal([
        [12.5, 3, 37.5],
        [4.99, 1, 4.99],
        [-2.49, 1, -2.49],
      ])
    })

    it('are added, changed, moved and deleted at their own path', async () => {
      const invoice = await bill(shop, [10])
      const other = await bill(shop, [])
      const item = await core.ok('POST', '/line_items', {
        invoice_id: idOf(invoice),
        entry_type: 'charge',
        amount: 5,
        qty: 2,
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(20, 0, 'pending'))
      await core.ok('PUT', `/line_items/${item.id}`, { qty: 3 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(25, 0, 'pending'))
      await core.ok('PUT', `/line_items/${item.id}`, { amount: 1.01, qty: null, description: 'one' })
      expect(await core.ok('GET', `/line_items/${item.id}`)).to.include({ amount: 1.01, qty: 1, total: 1.01 })
      await core.ok('PUT', `/line_items/${item.id}`, { invoice_id: idOf(other) })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 0, 'pending'))
      expect(await totalsOf(core, other)).to.deep.equal(totals(1.01, 0, 'pending'))
      await core.ok('DELETE', `/line_items/${item.id}`)
      expect(await totalsOf(core, other)).to.deep.equal(totals(0, 0, 'pending'))
    })

    it('are added below their invoice, one or many', async () => {
      const invoice = await bill(shop, [])
      const path = `/invoices/${invoice.id}/items`
      await core.ok('POST', path, { entry_type: 'charge', amount: 1 })
      const values: JsonObject[] = [
        { entry_type: 'charge', amount: 2 },
        { entry_type: 'charge', amount: 3, qty: 2 },
      ]
      await core.ok('POST', path, { object: 'list', values })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(9, 0, 'pending'))
      expect(valuesOf(await core.ok('GET', path))).to.have.length(3)
    })

    it('are created, updated and deleted through the tree of their invoice', async () => {
      const invoice = await bill(shop, [10, 20, 30])
      const [, second, third] = itemsOf(invoice)
      const answer = await put(invoice, [
        { id: idOf(second ?? {}), qty: 2 },
        { ...third },
        { entry_type: 'charge', amount: 0.5 },
      ])
      expect(answer.body).to.include(totals(70.5, 0, 'pending'))
      expect(itemsOf(answer.body).map(({ total }) => total)).to.deep.equal([40, 30, 0.5])
    })

    it('can be replaced after a payment, if the new amount due covers it', async () => {
      const invoice = await bill(shop, [100])
      await core.ok('POST', '/line_items', {
        invoice_id: idOf(invoice),
        entry_type: 'payment',
        amount: 60,
      })
      const [, payment] = itemsOf(await core.ok('GET', `/invoices/${invoice.id}`))
      const paid = { id: idOf(payment ?? {}) }
      expect((await put(invoice, [paid, { entry_type: 'charge', amount: 80 }])).body).to.include(
        totals(80, 60, 'partially_paid'),
      )
      const tooLittle = put(invoice, [paid, { entry_type: 'charge', amount: 59.99 }])
      expect(await detailsOf(tooLittle)).to.deep.equal({
        items: 'Leaves less due than the 60.00 that is paid',
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(80, 60, 'partially_paid'))
    })

    it('cannot be removed from an invoice that is paid', async () => {
      const invoice = await bill(shop, [10, 20])
      await payWith(shop, 25, [{ invoice_id: idOf(invoice) }])
      const [first] = itemsOf(invoice)
      const path = `/line_items/${first?.id}`
      const details = { amount: 'Leaves less due than the 25.00 that is paid' }
      expect(await detailsOf(core.send('DELETE', path))).to.deep.equal(details)
      expect(await detailsOf(core.send('PUT', path, { amount: 4.99 }))).to.deep.equal(details)
      await core.ok('PUT', path, { amount: 5 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(25, 25, 'paid'))
    })

    it('record payments by hand with or without a sign, by default the amount due', async () => {
      const invoice = await bill(shop, [50])
      const path = `/invoices/${invoice.id}/items`
      const first = await core.ok('POST', path, { entry_type: 'payment', amount: 20, description: 'Cash' })
      expect(first).to.include({ amount: -20, qty: 1, total: -20, transaction_id: null })
      await core.ok('PUT', `/line_items/${first.id}`, { amount: -15 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(50, 15, 'partially_paid'))
      const over = { entry_type: 'payment', amount: 35.01 }
      expect(await detailsOf(core.send('POST', path, over))).to.deep.equal({
        amount: 'Exceeds amount due of 35.00',
      })
      expect(await detailsOf(core.send('PUT', `/line_items/${first.id}`, { amount: 50.01 }))).to.deep.equal({
        amount: 'Exceeds amount due of 35.00',
      })
      const rest = await core.ok('POST', path, { entry_type: 'payment' })
      expect(rest).to.include({ amount: -35, total: -35 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(50, 50, 'paid'))
      expect(await detailsOf(core.send('POST', path, { entry_type: 'payment' }))).to.deep.equal({
        amount: 'Exceeds amount due of 0.00',
      })
      await core.ok('DELETE', `/line_items/${rest.id}`)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(50, 15, 'partially_paid'))
    })

    const wrong: [string, JsonObject, JsonObject][] = [
      ['a charge without an amount', { entry_type: 'charge' }, { amount: 'Required' }],
      ['an item without an entry type', { amount: 1 }, { entry_type: 'Required' }],
      [
        'a charge that is paid by a transaction',
        { entry_type: 'charge', amount: 1, transaction_id: 'txn_1' },
        { transaction_id: 'Only for payments' },
      ],
      [
        'a charge with a payment',
        { entry_type: 'charge', amount: 1, payment: { type: 'payment', amount: 1 } },
        { payment: 'Only for payments' },
      ],
      [
        'a payment with a quantity above one',
        { entry_type: 'payment', amount: 1, qty: 2 },
        { qty: 'Must be 1 for a payment' },
      ],
      ['a payment of zero', { entry_type: 'payment', amount: 0 }, { amount: 'Must not be 0' }],
      [
        'a payment by an unknown transaction',
        { entry_type: 'payment', transaction_id: 'txn_1' },
        { transaction_id: 'Not found' },
      ],
      [
        'a payment with a nested credit',
        { entry_type: 'payment', payment: { type: 'credit', amount: 1, payment_method: card() } },
        { payment: { type: 'Must be one of: payment' } },
      ],
      [
        'a charge above the largest amount',
        { entry_type: 'charge', amount: 50_000_000, qty: 2 },
        { amount: 'Times qty must be at most 99999999.99' },
      ],
      ['a charge with a total', { entry_type: 'charge', amount: 1, total: 1 }, { total: 'Read only' }],
    ]
    for (const [what, item, details] of wrong)
      it(`cannot be ${what}`, async () => {
        const invoice = await bill(shop, [10])
        expect(await detailsOf(core.send('POST', `/invoices/${invoice.id}/items`, item))).to.deep.equal(
          details,
        )
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 0, 'pending'))
      })

    it('never sum to more than the largest amount', async () => {
      const invoice = await bill(shop, [99_999_999])
      const path = `/invoices/${invoice.id}/items`
      await core.ok('POST', path, { entry_type: 'charge', amount: 0.99 })
      expect(await detailsOf(core.send('POST', path, { entry_type: 'charge', amount: 0.01 }))).to.deep.equal({
        amount: 'The invoice would exceed 99999999.99',
      })
      const items = Array.from({ length: 3 }, () => ({ entry_type: 'charge', amount: 50_000_000 }))
      const tree = core.send('POST', '/invoices', { customer_id: shop.customer, items })
      expect(await detailsOf(tree)).to.deep.equal({ items: 'The invoice would exceed 99999999.99' })
    })

    it('need an existing invoice, or an invoice created in the same request', async () => {
      const item = { entry_type: 'charge', amount: 1 }
      expect(
        await detailsOf(core.send('POST', '/line_items', { ...item, invoice_id: 'inv_1' })),
      ).to.deep.equal({
        invoice_id: 'Not found',
      })
      const invoice = await bill(shop, [])
      const made = { ...item, invoice_id: idOf(invoice), invoice: { customer_id: shop.customer } }
      expect(await detailsOf(core.send('POST', '/line_items', made))).to.deep.equal({
        invoice: 'Must not be sent with invoice_id',
      })
    })

    it('cannot change their invoice or payment', async () => {
      const invoice = await bill(shop, [10])
      await payWith(shop, 5, [{ invoice_id: idOf(invoice) }])
      const [charge, payment] = itemsOf(await core.ok('GET', `/invoices/${invoice.id}`))
      const wrong: [JsonObject | undefined, JsonObject, JsonObject][] = [
        [charge, { invoice: null }, { invoice: 'Required' }],
        [payment, { payment: null }, { payment: 'Read only' }],
        [payment, { payment: { type: 'payment', amount: 1 } }, { payment: 'Read only' }],
        [payment, { transaction_id: null }, { transaction_id: 'Read only' }],
      ]
      for (const [item, change, details] of wrong)
        expect(await detailsOf(core.send('PUT', `/line_items/${item?.id}`, change))).to.deep.equal(details)
      expect(
        (await core.send('PUT', `/invoices/${invoice.id}`, { customer: null })).body.details,
      ).to.deep.equal({
        customer: 'Required',
      })
    })

    it('leave no row in a dry run, and are created once per idempotency key', async () => {
      const invoice = await bill(shop, [])
      const item = { entry_type: 'charge', amount: 3, invoice_id: idOf(invoice) }
      await core.ok('POST', '/line_items', item, { dryRun: true })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(0, 0, 'pending'))
      const first = await core.ok('POST', '/line_items', item, { idempotencyKey: 'once' })
      expect(await core.ok('POST', '/line_items', item, { idempotencyKey: 'once' })).to.deep.equal(first)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(3, 0, 'pending'))
    })
  })
})
