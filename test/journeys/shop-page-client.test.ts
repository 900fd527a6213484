import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import { type Model, type PayloadClient, payloadClient } from '../support/payload-client.js'
import { rejection } from '../support/rejection.js'

const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/39', card_code: '123' }

describe("journey: a shop's page and its server with the public client, unmodified", () => {
  onDatabases((open) => {
    let service: HttpService
    let key: string
    let pl: PayloadClient
    let merchant: Model

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      key = await service.key({ manage: true })
      pl = payloadClient(service.address, key)
      merchant = await pl.create(pl.ProcessingAccount(processingAccount()))
    })

    /** Opens the public client with a client key for an intent, like a page. */
    const pageFor = async (intent: object) => pl.Session((await pl.ClientToken.create({ intent })).id)
    const pay = async (page: PayloadClient, attributes: object) =>
      await page.create(page.Payment({ payment_method: page.Card(CARD), ...attributes }))
    const newCustomer = async () =>
      await pl.Customer.create({
        name: 'Ada Park',
        email: 'ada@example.com',
        primary_processing_id: merchant.id,
      })

    it('authorize on the page; the server compares the amount and captures in one request', async () => {
      const page = await pageFor({ payment_form: { payment: { amount: 29.99, processing_id: merchant.id } } })
      const { id } = await pay(page, { amount: 29.99, status: 'authorized' })
      const payment = await pl.Payment.get(id)
      expect(payment).to.include({ amount: 29.99, status: 'authorized' })
      await payment.update({ order_number: 'A-7', status: 'processed', description: 'Order A-7' })
      expect(await pl.Payment.get(id)).to.include({
        order_number: 'A-7',
        status: 'processed',
        description: 'Order A-7',
      })
    })

    it('authorize if the intent says so, and never capture on the page', async () => {
      const page = await pageFor({ checkout_plugin: { amount: 5, status: 'authorized' } })
      const refused = rejection(pay(page, { amount: 5, status: 'processed' }))
      expect(await refused).to.be.instanceOf(pl.Forbidden)
      expect(await pay(page, { amount: 5 })).to.include({ status: 'authorized' })
    })

    it("save a customer's card on the page, and charge it later by its id and an amount", async () => {
      const customer = await newCustomer()
      const page = await pageFor({
        payment_method_form: { payment_method: { account_id: customer.id, default_payment_method: true } },
      })
      const saved = await page.create(page.Card(CARD))
      expect(saved.id).to.match(/^pm_/)
      const renewed = await pl.create(
        pl.Transaction({ payment_method_id: saved.id, amount: 12, type: 'payment' }),
      )
      expect(renewed).to.include({
        status: 'processed',
        customer_id: customer.id,
        processing_id: merchant.id,
      })
      const byDefault = await pl.create(pl.Payment({ amount: 7, customer_id: customer.id }))
      expect(byDefault).to.include({ payment_method_id: saved.id })
    })

    it('set the customer of a payment later, and only once', async () => {
      const page = await pageFor({ payment_form: { payment: { processing_id: merchant.id } } })
      const [customer, other] = [await newCustomer(), await newCustomer()]
      const payment = await pl.Payment.get((await pay(page, { amount: 20 })).id)
      await payment.update({ customer_id: customer.id, order_number: 'A-8' })
      expect(await pl.Payment.get(payment.id)).to.include({ customer_id: customer.id, order_number: 'A-8' })
      await payment.update({ customer_id: customer.id })
      const again = rejection(payment.update({ customer_id: other.id }))
      expect(await again).to.be.instanceOf(pl.InvalidAttributes)
      expect(await rejection(payment.update({ customer_id: null }))).to.be.instanceOf(pl.InvalidAttributes)
      const refund = await pl.create(
        pl.Refund({ amount: 20, ledger: [pl.Ledger({ assoc_transaction_id: payment.id })] }),
      )
      expect(refund).to.include({ customer_id: customer.id })
      const found = await pl.Transaction.filterBy({ customer_id: customer.id })
      expect(found.map(({ id }) => id)).to.have.members([payment.id, refund.id])
    })

    it('leave correct books', async () => {
      const { body } = await service.ask(key, 'GET', '/admin/verify')
      expect(body.findings).to.deep.equal([])
    })
  })
})
