import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import {
  allocatedOf,
  allocationsOf,
  become,
  bill,
  openShop,
  payWith,
  refund,
  refusal,
  type Shop,
  totals,
  totalsOf,
} from './invoices.js'

describe('allocations follow their payment:', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    it('those of an authorized payment wait until the payment is captured', async () => {
      const invoice = await bill(shop, [30])
      const other = await bill(shop, [30])
      const held = await payWith(
        shop,
        50,
        [{ invoice_id: idOf(invoice), amount: 10 }, { invoice_id: idOf(other) }],
        {
          status: 'authorized',
        },
      )
      expect((await allocationsOf(core, held)).map(({ amount, total }) => [amount, total])).to.deep.equal([
        [-10, 0],
        [null, 0],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await core.ok('POST', `/invoices/${other.id}/items`, { entry_type: 'payment', amount: 25 })
      await core.ok('POST', `/transactions/${held.id}/capture`, { allow_unallocated: true })
      expect(await allocatedOf(core, held)).to.deep.equal([
        [invoice.id, -10],
        [other.id, -5],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 10, 'partially_paid'))
      expect(await totalsOf(core, other)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('those of an authorized payment are removed when the payment is voided', async () => {
      const invoice = await bill(shop, [30])
      const held = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }], { status: 'authorized' })
      await become(core, held, 'voided')
      expect(await allocatedOf(core, held)).to.deep.equal([[invoice.id, 0]])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('they reserve no more than the authorized amount', async () => {
      const invoice = await bill(shop, [30])
      const other = await bill(shop, [30])
      const held = await payWith(shop, 40, [{ invoice_id: idOf(invoice), amount: 30 }], {
        status: 'authorized',
      })
      const path = `/transactions/${held.id}/allocations`
      expect(await refusal(core, path, { invoice_id: idOf(other), amount: 10.01 })).to.deep.equal({
        amount: 'Exceeds unallocated amount of 10.00',
      })
      await core.ok('POST', path, { invoice_id: idOf(other), amount: 10 })
      await become(core, held, 'processed')
      expect(await totalsOf(core, other)).to.deep.equal(totals(30, 10, 'partially_paid'))
    })

    it('they are reversed when the payment is voided', async () => {
      const invoice = await bill(shop, [30])
      const other = await bill(shop, [30])
      const paid = await payWith(shop, 50, [{ invoice_id: idOf(invoice) }, { invoice_id: idOf(other) }])
      expect(await core.ok('GET', `/invoices/${invoice.id}`))
        .to.have.property('paid_timestamp')
        .that.is.a('string')
      await become(core, paid, 'voided')
      expect(await allocatedOf(core, paid)).to.deep.equal([
        [invoice.id, -30],
        [other.id, -20],
        [other.id, 20],
        [invoice.id, 30],
      ])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      expect(await core.ok('GET', `/invoices/${invoice.id}`)).to.include({ paid_timestamp: null })
    })

    it('a refund uses the unallocated rest first, then the newest allocation', async () => {
      const invoice = await bill(shop, [30])
      const other = await bill(shop, [20])
      const paid = await payWith(shop, 60, [{ invoice_id: idOf(invoice) }, { invoice_id: idOf(other) }])
      await refund(core, paid, 10)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 20, 'paid'))
      await refund(core, paid, 5)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 15, 'partially_paid'))
      await refund(core, paid, 20)
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 0, 'pending'))
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 25, 'partially_paid'))
      await refund(core, paid, 25)
      expect(await allocatedOf(core, paid)).to.deep.equal([
        [invoice.id, -30],
        [other.id, -20],
        [other.id, 5],
        [other.id, 15],
        [invoice.id, 5],
        [invoice.id, 25],
      ])
      expect((await allocationsOf(core, paid)).map(({ description }) => description)).to.deep.equal([
        null,
        null,
        'Payment refunded',
        'Payment refunded',
        'Payment refunded',
        'Payment refunded',
      ])
    })

    it('only a processed payment has them', async () => {
      const to = { invoice_id: idOf(await bill(shop, [30])) }
      const voided = await pay(core, shop.processing, 10)
      await become(core, voided, 'voided')
      expect(await refusal(core, `/transactions/${voided.id}/allocations`, to)).to.deep.equal({
        transaction_id: 'Only a processed payment pays an invoice, this is voided',
      })
      const paid = await pay(core, shop.processing, 10)
      const back = await refund(core, paid, 5)
      expect(await refusal(core, `/transactions/${back.id}/allocations`, to)).to.deep.equal({
        transaction_id: 'Only a payment pays an invoice, this is a refund',
      })
    })

    it('clients cannot change or delete them directly', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      const [item] = await allocationsOf(core, paid)
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
  })
})
