import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bill, openShop, type Shop, totals, totalsOf } from './invoices.js'

describe('a total below zero', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const charge = (amount: number) => ({ entry_type: 'charge', amount })
    const itemOf = (invoice: JsonObject, amount: number) =>
      idOf(
        listOf(invoice.items)
          .map(objectOf)
          .find((each) => each.amount === amount) ?? {},
      )
    const detailsOf = async (answer: Promise<{ status: number; body: JsonObject }>) => {
      const { status, body } = await answer
      expect(status, JSON.stringify(body)).to.equal(400)
      return body.details
    }
    const problem = (total: string) => `The invoice would total ${total}, and a total is never below 0.00`

    it('is refused for a new invoice with more discount than charges', async () => {
      const invoice = { customer_id: shop.customer, items: [charge(10), charge(-15)] }
      expect(await detailsOf(core.send('POST', '/invoices', invoice))).to.deep.equal({
        items: problem('-5.00'),
      })
    })

    it('is refused after adding a discount, or lowering, moving or deleting a charge', async () => {
      const invoice = await bill(shop, [10, -5])
      const other = await bill(shop, [1])
      const path = `/line_items/${itemOf(invoice, 10)}`
      const discount = { ...charge(-5.01), invoice_id: idOf(invoice) }
      expect(await detailsOf(core.send('POST', '/line_items', discount))).to.deep.equal({
        amount: problem('-0.01'),
      })
      const changes: JsonObject[] = [{ amount: 4.99 }, { qty: 0 }, { invoice_id: idOf(other) }]
      for (const change of changes)
        expect(Object.keys(objectOf(await detailsOf(core.send('PUT', path, change))))).to.deep.equal([
          'amount',
        ])
      expect(await detailsOf(core.send('DELETE', path))).to.deep.equal({ amount: problem('-5.00') })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(5, 0, 'pending'))
    })

    it('is allowed temporarily while the items of an invoice are replaced together', async () => {
      const invoice = await bill(shop, [10, -5])
      const changed = await core.ok('PUT', `/invoices/${idOf(invoice)}`, { items: [charge(-2), charge(3)] })
      expect(changed).to.include(totals(1, 0, 'pending'))
    })

    it('is refused for the charges of a schedule, sent with the schedule or one by one', async () => {
      const schedule = { customer_id: shop.customer, processing_id: shop.processing }
      const monthly = { ...schedule, recurring_frequency: 'monthly' }
      const text = 'The schedule would bill -5.00, and a total is never below 0.00'
      const charges = [{ amount: 10 }, { amount: -15 }]
      expect(await detailsOf(core.send('POST', '/billing_schedules', { ...monthly, charges }))).to.deep.equal(
        { charges: text },
      )
      const made = await core.ok('POST', '/billing_schedules', {
        ...monthly,
        charges: [{ amount: -10 }, { amount: 15 }],
      })
      const more = { billing_schedule_id: idOf(made), amount: -10 }
      expect(await detailsOf(core.send('POST', '/billing_charges', more))).to.deep.equal({ amount: text })
    })
  })
})
