import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import {
  allocatedOf,
  allocationsOf,
  bill,
  openShop,
  payWith,
  refund,
  refusal,
  type Shop,
  totals,
  totalsOf,
} from './invoices.js'

const DECLINED = '4111111111119903'

describe('allocations', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const payment = (amount: number, allocations: Json, more: JsonObject = {}) =>
      refusal(core, '/transactions', {
        type: 'payment',
        amount,
        customer_id: shop.customer,
        allocations,
        ...more,
      })

    it('pay an invoice with the amount due', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      expect(paid).to.include({ status: 'processed', processing_id: shop.processing })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 20, 'partially_paid'))
      const more = await payWith(shop, 20, [{ invoice_id: idOf(invoice), entry_type: 'payment' }])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
      expect(await allocatedOf(core, more)).to.deep.equal([[invoice.id, -10]])
      const [item] = await allocationsOf(core, more)
      expect(item).to.include({ entry_type: 'payment', amount: -10, qty: 1, transaction_id: more.id })
    })

    it('pay several invoices with given amounts, with or without a sign', async () => {
      const one = await bill(shop, [10])
      const two = await bill(shop, [20])
      const three = await bill(shop, [30])
      const paid = await payWith(shop, 50, [
        { invoice_id: idOf(one) },
        { invoice_id: idOf(two), amount: -5 },
        { invoice_id: idOf(three), amount: 30 },
      ])
      expect(await allocatedOf(core, paid)).to.deep.equal([
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

    it('never exceed the payment or the amount due', async () => {
      const invoice = await bill(shop, [30])
      const other = await bill(shop, [30])
      const first = { invoice_id: idOf(invoice) }
      const second = { invoice_id: idOf(other) }
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

    it('refuse a payment for an invoice that is already paid', async () => {
      const invoice = await bill(shop, [30])
      await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      expect(await payment(30, [{ invoice_id: idOf(invoice) }])).to.deep.equal({
        allocations: { 0: { amount: 'Exceeds amount due of 0.00' } },
      })
    })

    it('need an existing invoice, and a transaction of type payment', async () => {
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
      expect(await refusal(core, '/transactions', { ...body, allocations: [to] })).to.deep.equal({
        allocations: 'Only a payment pays invoices',
      })
    })

    it('set the account and customer of the payment from the invoice by default', async () => {
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

    it('do not exist for a declined payment', async () => {
      const invoice = await bill(shop, [30])
      const declined = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 30,
        customer_id: shop.customer,
        payment_method: card(DECLINED),
        allocations: [{ invoice_id: idOf(invoice) }],
      })
      expect(declined.body.error_type).to.equal('TransactionDeclined')
      expect(await allocationsOf(core, objectOf(declined.body.details))).to.deep.equal([])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('can be added to a payment with an unallocated rest', async () => {
      const invoice = await bill(shop, [30])
      const paid = await pay(core, shop.processing, 40)
      const path = `/transactions/${paid.id}/allocations`
      await core.ok('POST', path, { invoice_id: idOf(invoice), amount: 25 })
      await core.ok('POST', '/line_items', {
        invoice_id: idOf(invoice),
        entry_type: 'payment',
        transaction_id: idOf(paid),
      })
      expect(await allocatedOf(core, paid)).to.deep.equal([
        [invoice.id, -25],
        [invoice.id, -5],
      ])
      const other = await bill(shop, [30])
      expect(await refusal(core, path, { invoice_id: idOf(other), amount: 10.01 })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 10.00',
      })
      await refund(core, paid, 10)
      expect(await refusal(core, path, { invoice_id: idOf(other) })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 0.00',
      })
    })

    it('of two simultaneous payments never overpay an invoice', async () => {
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

    it('of one payment to many invoices at once never exceed the payment', async () => {
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

    it('are not stored in a dry run', async () => {
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
