import { expect } from 'chai'
import type { Json, JsonObject } from '../../src/core/json.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../support/core.js'
import { onEachDatabase } from '../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../support/examples.js'
import { bill, openShop, payWith, refund, type Shop, totals, totalsOf } from './invoices.js'

const DECLINED = '4111111111119903'

describe('allocations', () => {
  onEachDatabase((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const allocationsOf = async (payment: JsonObject) =>
      valuesOf(
        await core.ok('GET', `/transactions/${payment.id}/allocations`, undefined, { query: 'order_by=id' }),
      )
    const allocatedOf = async (payment: JsonObject) =>
      (await allocationsOf(payment)).map(({ invoice_id, total }) => [invoice_id, total])
    const put = (payment: JsonObject, status: string) =>
      core.ok('PUT', `/transactions/${payment.id}`, { status })
    const refused = async (path: string, body: Json) => {
      const { status, body: error } = await core.send('POST', path, body)
      expect(status, JSON.stringify(error)).to.equal(400)
      return error.details
    }
    const payment = (amount: number, allocations: Json, more: JsonObject = {}) =>
      refused('/transactions', { type: 'payment', amount, customer_id: shop.customer, allocations, ...more })

    it('pay one invoice with as much as fits', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      expect(paid).to.include({ status: 'processed', processing_id: shop.processing })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 20, 'partially_paid'))
      const more = await payWith(shop, 20, [{ invoice_id: idOf(invoice), entry_type: 'payment' }])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
      expect(await allocatedOf(more)).to.deep.equal([[invoice.id, -10]])
      const [item] = await allocationsOf(more)
      expect(item).to.include({ entry_type: 'payment', amount: -10, qty: 1, transaction_id: more.id })
    })

    it('pay several, each its share, with or without a sign', async () => {
      const [one, two, three] = [await bill(shop, [10]), await bill(shop, [20]), await bill(shop, [30])]
      const paid = await payWith(shop, 50, [
        { invoice_id: idOf(one) },
        { invoice_id: idOf(two), amount: -5 },
        { invoice_id: idOf(three), amount: 30 },
      ])
      expect(await allocatedOf(paid)).to.deep.equal([
        [one.id, -10],
        [two.id, -5],
        [three.id, -30],
      ])
      expect(await totalsOf(core, two)).to.deep.equal(totals(20, 5, 'partially_paid'))
      expect(await totalsOf(core, three)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('are shown with the payment and with the invoice', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      const query = 'fields=*,allocations,allocations[invoice][status]'
      const shown = await core.ok('GET', `/transactions/${paid.id}`, undefined, { query })
      expect(shown).to.have.nested.include({
        'allocations[0].total': -30,
        'allocations[0].invoice.status': 'paid',
      })
      const items = await core.ok('GET', `/invoices/${invoice.id}`, undefined, {
        query: 'fields=*,items[*],items[payment][status]',
      })
      expect(items).to.have.nested.include({ 'items[1].payment.status': 'processed' })
    })

    it('take more from neither side than there is', async () => {
      const [invoice, other] = [await bill(shop, [30]), await bill(shop, [30])]
      const [first, second] = [{ invoice_id: idOf(invoice) }, { invoice_id: idOf(other) }]
      expect(await payment(50, [{ ...first, amount: 30.01 }])).to.deep.equal({
        allocations: { 0: { amount: 'Exceeds amount due of 30.00' } },
      })
      expect(await payment(50, [first, { ...second, amount: 20.01 }])).to.deep.equal({
        allocations: { 1: { amount: 'Exceeds unallocated amount of 20.00' } },
      })
      expect(await payment(30, [first, second])).to.deep.equal({
        allocations: { 1: { amount: 'Exceeds unallocated amount of 0.00' } },
      })
      expect(
        await payment(60, [
          { ...first, amount: 20 },
          { ...first, amount: 11 },
        ]),
      ).to.deep.equal({
        allocations: { 1: { amount: 'Exceeds amount due of 10.00' } },
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('charge nobody for what is paid already', async () => {
      const invoice = await bill(shop, [30])
      await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      expect(await payment(30, [{ invoice_id: idOf(invoice) }])).to.deep.equal({
        allocations: { 0: { amount: 'Exceeds amount due of 0.00' } },
      })
    })

    it('name an invoice that is there, and nothing but payments', async () => {
      const invoice = await bill(shop, [30])
      const to = { invoice_id: idOf(invoice) }
      expect(await payment(1, [{ invoice_id: 'inv_1' }])).to.deep.equal({
        allocations: { 0: { invoice_id: 'Not found' } },
      })
      expect(await payment(1, [{}])).to.deep.equal({ allocations: { 0: { invoice_id: 'Required' } } })
      expect(await payment(1, [{ ...to, entry_type: 'charge', amount: 1 }])).to.deep.equal({
        allocations: { 0: { transaction_id: 'Only for payments' } },
      })
      const body = { type: 'credit', amount: 1, processing_id: shop.processing, payment_method: card() }
      expect(await refused('/transactions', { ...body, allocations: [to] })).to.deep.equal({
        allocations: 'Only a payment pays invoices',
      })
    })

    it("go to the invoice's processing account, by its customer, unless something else is said", async () => {
      const elsewhere = await makeProcessing(core, 'Elsewhere')
      const invoice = await bill(shop, [30], { processing_id: elsewhere })
      const to = [{ invoice_id: idOf(invoice) }]
      expect(await payment(1, to, { processing_id: shop.processing })).to.deep.equal({
        allocations: { 0: { invoice_id: 'Is paid to another processing account' } },
      })
      const plain = { type: 'payment', amount: 1, allocations: to }
      expect(await core.ok('POST', '/transactions', plain)).to.include({
        processing_id: elsewhere,
        customer_id: shop.customer,
        payment_method_id: shop.method,
      })
      const friend = await makeCustomer(core, shop.processing, 'A friend')
      const friendly = { ...plain, customer_id: friend, payment_method: card() }
      expect(await core.ok('POST', '/transactions', friendly)).to.include({
        processing_id: elsewhere,
        customer_id: friend,
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 2, 'partially_paid'))
    })

    it('of a declined payment there are none', async () => {
      const invoice = await bill(shop, [30])
      const declined = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 30,
        customer_id: shop.customer,
        payment_method: card(DECLINED),
        allocations: [{ invoice_id: idOf(invoice) }],
      })
      expect(declined.body.error_type).to.equal('TransactionDeclined')
      expect(await allocationsOf(objectOf(declined.body.details))).to.deep.equal([])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('of an authorized payment wait until it is captured', async () => {
      const [invoice, other] = [await bill(shop, [30]), await bill(shop, [30])]
      const held = await payWith(
        shop,
        50,
        [{ invoice_id: idOf(invoice), amount: 10 }, { invoice_id: idOf(other) }],
        {
          status: 'authorized',
        },
      )
      expect((await allocationsOf(held)).map(({ amount, total }) => [amount, total])).to.deep.equal([
        [-10, 0],
        [null, 0],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await core.ok('POST', `/invoices/${other.id}/items`, { entry_type: 'payment', amount: 25 })
      await put(held, 'processed')
      expect(await allocatedOf(held)).to.deep.equal([
        [invoice.id, -10],
        [other.id, -5],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 10, 'partially_paid'))
      expect(await totalsOf(core, other)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('of an authorized payment fall away when it is voided', async () => {
      const invoice = await bill(shop, [30])
      const held = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }], { status: 'authorized' })
      await put(held, 'voided')
      expect(await allocatedOf(held)).to.deep.equal([[invoice.id, 0]])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('are set aside for no more than an authorized payment is', async () => {
      const [invoice, other] = [await bill(shop, [30]), await bill(shop, [30])]
      const held = await payWith(shop, 40, [{ invoice_id: idOf(invoice), amount: 30 }], {
        status: 'authorized',
      })
      const path = `/transactions/${held.id}/allocations`
      expect(await refused(path, { invoice_id: idOf(other), amount: 10.01 })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 10.00',
      })
      await core.ok('POST', path, { invoice_id: idOf(other), amount: 10 })
      await put(held, 'processed')
      expect(await totalsOf(core, other)).to.deep.equal(totals(30, 10, 'partially_paid'))
    })

    it('are taken back when the payment is voided', async () => {
      const [invoice, other] = [await bill(shop, [30]), await bill(shop, [30])]
      const paid = await payWith(shop, 50, [{ invoice_id: idOf(invoice) }, { invoice_id: idOf(other) }])
      expect(await core.ok('GET', `/invoices/${invoice.id}`))
        .to.have.property('paid_timestamp')
        .that.is.a('string')
      await put(paid, 'voided')
      expect(await allocatedOf(paid)).to.deep.equal([
        [invoice.id, -30],
        [other.id, -20],
        [other.id, 20],
        [invoice.id, 30],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      expect(await core.ok('GET', `/invoices/${invoice.id}`)).to.include({ paid_timestamp: null })
    })

    it('give a refund first what is left of the payment, then the newest', async () => {
      const [invoice, other] = [await bill(shop, [30]), await bill(shop, [20])]
      const paid = await payWith(shop, 60, [{ invoice_id: idOf(invoice) }, { invoice_id: idOf(other) }])
      await refund(core, paid, 10)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 20, 'paid'))
      await refund(core, paid, 5)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 15, 'partially_paid'))
      await refund(core, paid, 20)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 0, 'pending'))
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 25, 'partially_paid'))
      await refund(core, paid, 25)
      expect(await allocatedOf(paid)).to.deep.equal([
        [invoice.id, -30],
        [other.id, -20],
        [other.id, 5],
        [other.id, 15],
        [invoice.id, 5],
        [invoice.id, 25],
      ])
      expect((await allocationsOf(paid)).map(({ description }) => description)).to.deep.equal([
        null,
        null,
        'Payment refunded',
        'Payment refunded',
        'Payment refunded',
        'Payment refunded',
      ])
    })

    it('are added to a payment that has something left', async () => {
      const invoice = await bill(shop, [30])
      const paid = await pay(core, shop.processing, 40)
      const path = `/transactions/${paid.id}/allocations`
      await core.ok('POST', path, { invoice_id: idOf(invoice), amount: 25 })
      await core.ok('POST', '/line_items', {
        invoice_id: idOf(invoice),
        entry_type: 'payment',
        transaction_id: idOf(paid),
      })
      expect(await allocatedOf(paid)).to.deep.equal([
        [invoice.id, -25],
        [invoice.id, -5],
      ])
      const other = await bill(shop, [30])
      expect(await refused(path, { invoice_id: idOf(other), amount: 10.01 })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 10.00',
      })
      await refund(core, paid, 10)
      expect(await refused(path, { invoice_id: idOf(other) })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 0.00',
      })
    })

    it('come from a processed payment only', async () => {
      const to = { invoice_id: idOf(await bill(shop, [30])) }
      const voided = await pay(core, shop.processing, 10)
      await put(voided, 'voided')
      expect(await refused(`/transactions/${voided.id}/allocations`, to)).to.deep.equal({
        transaction_id: 'Only a processed payment pays an invoice, this is voided',
      })
      const paid = await pay(core, shop.processing, 10)
      const back = await refund(core, paid, 5)
      expect(await refused(`/transactions/${back.id}/allocations`, to)).to.deep.equal({
        transaction_id: 'Only a payment pays an invoice, this is a refund',
      })
    })

    it('are neither changed nor deleted by hand', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      const [item] = await allocationsOf(paid)
      const path = `/line_items/${item?.id}`
      const kept = 'What a transaction pays is not deleted: void or refund it'
      expect((await core.send('DELETE', path)).body.details).to.deep.equal({ transaction_id: kept })
      expect((await core.send('PUT', `/invoices/${invoice.id}`, { items: [] })).body.details).to.deep.equal({
        items: { transaction_id: kept },
      })
      expect((await core.send('PUT', path, { amount: 1 })).body.details).to.deep.equal({
        amount: 'Read only',
      })
      expect(await core.ok('PUT', path, { ...item, description: 'First part' })).to.include({
        description: 'First part',
        total: -20,
      })
    })

    it('take a payment with the item that it makes', async () => {
      const invoice = await bill(shop, [30])
      const path = `/invoices/${invoice.id}/items`
      const item = await core.ok('POST', path, {
        entry_type: 'payment',
        payment: { type: 'payment', amount: 12, payment_method: card() },
      })
      expect(item).to.include({ amount: -12, total: -12 })
      expect(await core.ok('GET', `/transactions/${item.transaction_id}`)).to.include({
        status: 'processed',
        customer_id: shop.customer,
        processing_id: shop.processing,
      })
      const items = [
        ...valuesOf(await core.ok('GET', path)),
        { entry_type: 'payment', payment: { type: 'payment', amount: 18 } },
      ]
      expect(await core.ok('PUT', `/invoices/${invoice.id}`, { items })).to.include(totals(30, 30, 'paid'))
    })

    it('make an invoice that is paid at once', async () => {
      const invoice = await bill(shop, [], {
        items: [
          { entry_type: 'charge', amount: 30 },
          { entry_type: 'payment', payment: { type: 'payment', amount: 30 } },
        ],
      })
      expect(invoice).to.include(totals(30, 30, 'paid'))
    })

    it('say so when the payment that comes with an item is declined', async () => {
      const invoice = await bill(shop, [30])
      const item = {
        entry_type: 'payment',
        payment: { type: 'payment', amount: 30, payment_method: card(DECLINED) },
      }
      const { status, body } = await core.send('POST', `/invoices/${invoice.id}/items`, item)
      expect(status).to.equal(400)
      expect(body).to.include({ error_type: 'TransactionDeclined' })
      const stored = objectOf(body.details)
      expect(stored).to.include({ object: 'line_item', amount: 0, total: 0 })
      expect(await core.ok('GET', `/transactions/${stored.transaction_id}`)).to.include({
        status: 'declined',
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await core.ok('PUT', `/line_items/${stored.id}`, { description: 'did not work' })
      await core.ok('DELETE', `/line_items/${stored.id}`)
    })

    it('of two payments at once never overpay', async () => {
      const invoice = await bill(shop, [30])
      const body = { type: 'payment', amount: 20, customer_id: shop.customer }
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          core.send('POST', '/transactions', {
            ...body,
            allocations: [{ invoice_id: idOf(invoice), amount: 20 }],
          }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 20, 'partially_paid'))
    })

    it('of one payment to many invoices at once never exceed it', async () => {
      const paid = await pay(core, shop.processing, 25)
      const invoices = await Promise.all(Array.from({ length: 5 }, () => bill(shop, [10])))
      const answers = await Promise.all(
        invoices.map((invoice) =>
          core.send('POST', `/transactions/${paid.id}/allocations`, {
            invoice_id: idOf(invoice),
            amount: 10,
          }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).to.have.length(2)
    })

    it('leave no trace in a dry run', async () => {
      const invoice = await bill(shop, [30])
      const body = {
        type: 'payment',
        amount: 30,
        customer_id: shop.customer,
        allocations: [{ invoice_id: idOf(invoice) }],
      }
      const query = 'fields=status,allocations[total]'
      expect(await core.ok('POST', '/transactions', body, { dryRun: true, query })).to.deep.equal({
        status: 'processed',
        allocations: [{ total: -30 }],
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })
  })
})
