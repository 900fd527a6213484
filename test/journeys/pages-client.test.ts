import { expect } from 'chai'
import { onDatabases } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'
import { type Model, type PayloadClient, payloadClient } from '../support/payload-client.js'
import { rejection } from '../support/rejection.js'

const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/35', card_code: '123' }

describe('journey: pages and webhooks with the public client, unmodified', () => {
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
      customer = await pl.Customer.create({ name: 'Example Customer', primary_processing_id: merchant.id })
    })

    /** Opens the public client with a client key, like a page. */
    const inPage = (key: string) => pl.Session(key)
    const pay = (page: PayloadClient, attributes: object) =>
      page.create(page.Payment({ payment_method: page.Card(CARD), ...attributes }))
    const linkOf = (attributes: object) =>
      pl.PaymentLink.create({ description: 'Payment Request', processing_id: merchant.id, ...attributes })

    it('makes one-time and reusable payment links, and deletes them', async () => {
      for (const type of ['one_time', 'reusable']) {
        const link = await linkOf({ type, amount: 10 })
        expect(link).to.include({
          object: 'payment_link',
          processing_id: merchant.id,
          type,
          status: 'active',
        })
        expect(link.url).to.equal(`${service.address}/pay/${link.id}`)
        await link.delete()
        expect(await rejection(Promise.resolve(pl.PaymentLink.get(link.id)))).to.be.instanceOf(pl.NotFound)
      }
    })

    it('makes a link for an invoice, deactivates and activates it, and takes its payment', async () => {
      const invoice = await pl.Invoice.create({
        customer_id: customer.id,
        items: [pl.ChargeItem({ amount: 25.5 })],
      })
      const link = await linkOf({ invoice_id: invoice.id })
      await link.update({ status: 'inactive' })
      expect(link.status).to.equal('inactive')
      const refused = rejection(pay(pl, { amount: 25.5, payment_link_id: link.id }))
      expect(await refused).to.be.instanceOf(pl.InvalidAttributes)
      await link.update({ status: 'active' })
      const payment = await pay(pl, { amount: 25.5, payment_link_id: link.id })
      expect(payment).to.include({ status: 'processed', customer_id: customer.id })
      expect(await pl.PaymentLink.get(link.id)).to.include({ status: 'completed' })
      expect(await pl.Invoice.get(invoice.id)).to.include({ status: 'paid', amount_due: 0 })
      const found = await pl.Payment.filterBy({ payment_link_id: link.id })
      expect(found.map(({ id }) => id)).to.deep.equal([payment.id])
    })

    it('makes client tokens, with which a page can pay and has no other right', async () => {
      const token = await pl.ClientToken.create()
      expect(token).to.include({ object: 'access_token', status: 'active', type: 'client', environ: 'test' })
      const page = inPage(token.id)
      expect(await pay(page, { amount: 5, processing_id: merchant.id })).to.include({ status: 'processed' })
      expect(await rejection(Promise.resolve(page.Customer.get(customer.id)))).to.be.instanceOf(pl.Forbidden)
      await token.delete()
      const late = rejection(pay(page, { amount: 5, processing_id: merchant.id }))
      expect(await late).to.be.instanceOf(pl.Unauthorized)
    })

    it('makes client tokens with an intent, which the page cannot leave', async () => {
      const intents = [
        { amount: 100, customer_id: customer.id },
        { payment_form: { payment: { amount: 100, customer_id: customer.id } } },
        { checkout_plugin: { amount: 100, customer_id: customer.id, card_payments: true } },
      ]
      for (const intent of intents) {
        const page = inPage((await pl.ClientToken.create({ intent })).id)
        const payment = await pay(page, { amount: 100 })
        expect(payment).to.include({
          status: 'processed',
          customer_id: customer.id,
          processing_id: merchant.id,
        })
        expect(await rejection(pay(page, { amount: 1 }))).to.be.instanceOf(pl.Forbidden)
      }
    })

    it('requests a payment method from a customer, which becomes the default', async () => {
      const activation = await pl.PaymentActivation.create({ customer_id: customer.id })
      expect(activation).to.include({ object: 'payment_activation', status: 'pending' })
      await activation.update({ payment_method: pl.Card(CARD) })
      expect(activation.status).to.equal('activated')
      const payment = await pl.create(pl.Payment({ amount: 7, customer_id: customer.id }))
      expect(payment).to.include({ status: 'processed', payment_method_id: activation.payment_method_id })
    })

    it('registers a webhook, and reads it with its logs', async () => {
      const webhook = await pl.Webhook.create({ trigger: 'payment', url: 'https://example.com/hook' })
      expect(webhook).to.include({ object: 'webhook', trigger: 'payment', status: 'enabled' })
      expect(webhook.secret).to.match(/^whsec_/)
      const read = await pl.Webhook.select('*', 'logs').get(webhook.id)
      expect(read).to.deep.include({ logs: [], url: 'https://example.com/hook' })
      await webhook.delete()
    })
  })
})
