import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import { type Model, type PayloadClient, payloadClient } from '../support/payload-client.js'

const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/35', card_code: '123' }

describe('journey: billing with the public client, unmodified', () => {
  onDatabases((open) => {
    let service: HttpService
    let pl: PayloadClient
    let merchant: Model
    let customer: Model

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      pl = payloadClient(service.address, await service.key())
      merchant = await pl.create(pl.ProcessingAccount(processingAccount()))
      customer = await pl.create(pl.Customer({ name: 'Example Customer', email: 'customer@example.com' }))
    })

    const bill = (attributes: object = {}) =>
      pl.Invoice.create({
        type: 'bill',
        processing_id: merchant.id,
        due_date: '2035-01-31',
        customer_id: customer.id,
        items: [pl.ChargeItem({ amount: 4.99 })],
        ...attributes,
      })

    it('makes an invoice, and pays it by the saved card of its customer', async () => {
      const invoice = await bill()
      expect(invoice).to.include({ object: 'invoice', due_date: '2035-01-31', amount_due: 4.99 })
      expect(invoice).to.have.nested.include({ 'items[0].entry_type': 'charge', 'items[0].total': 4.99 })
      const card = await pl.create(
        pl.Card({ account_id: customer.id, ...CARD, billing_address: { postal_code: '11111' } }),
      )
      await pl.create(
        pl.Payment({
          amount: invoice.amount_due,
          customer_id: customer.id,
          payment_method_id: card.id,
          allocations: [pl.PaymentItem({ invoice_id: invoice.id })],
        }),
      )
      expect(await pl.Invoice.get(invoice.id)).to.include({ status: 'paid', total_paid: 4.99, amount_due: 0 })
      expect(await pl.Invoice.filterBy({ status: 'paid', customer_id: customer.id })).to.have.length(1)
    })

    it('adds charges and a cash payment as line items, and pays the rest by a payment item', async () => {
      const invoice = await bill({ items: [] })
      const item = await pl.create(pl.ChargeItem({ invoice_id: invoice.id, amount: 10, qty: 2 }))
      expect(item).to.include({ object: 'line_item', entry_type: 'charge', total: 20 })
      await item.update({ qty: 3 })
      expect(item).to.include({ total: 30 })
      const cash = await pl.PaymentItem.create({ invoice_id: invoice.id, amount: -5 })
      expect(cash).to.include({ amount: -5 })
      const payment = pl.Payment({ amount: 25, payment_method: pl.Card(CARD) })
      await pl.create(pl.PaymentItem({ invoice_id: invoice.id, payment }))
      expect(await pl.Invoice.get(invoice.id)).to.include({ status: 'paid', total_due: 30, total_paid: 30 })
      const items = await pl.LineItem.filterBy({ invoice_id: invoice.id }).orderBy('amount')
      expect(items.map(({ amount }) => amount)).to.deep.equal([-25, -5, 10])
    })

    it('deletes an invoice without payments', async () => {
      const invoice = await bill()
      await invoice.delete()
      expect(await failure(pl.Invoice.get(invoice.id))).to.be.instanceOf(pl.NotFound)
    })

    it('makes, changes and deletes a billing schedule with its charges', async () => {
      const schedule = await pl.create(
        pl.BillingSchedule({
          start_date: '2019-01-01',
          end_date: '2019-12-31',
          recurring_frequency: 'monthly',
          type: 'subscription',
          customer_id: customer.id,
          processing_id: merchant.id,
          charges: pl.BillingCharge({ type: 'option_1', amount: 5 }),
        }),
      )
      expect(schedule).to.include({ processing_id: merchant.id })
      expect(schedule).to.have.nested.include({ 'charges[0].amount': 5, 'charges[0].total': 5 })
      await schedule.update({ recurring_frequency: 'quarterly' })
      expect(schedule.recurring_frequency).to.equal('quarterly')
      const [charge] = await pl.BillingCharge.filterBy({ billing_schedule_id: schedule.id })
      expect(await charge?.update({ qty: 2 })).to.include({ total: 10 })
      await schedule.delete()
      expect(await failure(pl.BillingSchedule.get(schedule.id))).to.be.instanceOf(pl.NotFound)
    })
  })
})

async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was accepted')
}
