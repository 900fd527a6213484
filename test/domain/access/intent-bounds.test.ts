import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card } from '../../support/examples.js'
import { Checkout } from './checkout.js'
import { EVERYWHERE, intentOf, NO_PAGES, PAGES } from './intent-kinds.js'

onDatabases((open) => {
  describe('the limits of an intent', () => {
    let checkout: Checkout
    let invoice: () => Promise<string>
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
      const { shop, customer } = checkout
      const items = [{ entry_type: 'charge', amount: 10 }]
      invoice = async () =>
        await checkout.idOf('/invoices', { customer_id: customer, processing_id: shop, items })
    })

    const make = async (kind: string, options: JsonObject) =>
      await checkout.service.ask(checkout.secret, 'POST', '/access_tokens', {
        type: 'client',
        intent: intentOf(kind, options),
      })

    it('bind a key to one invoice, even if the page names others', async () => {
      for (const kind of EVERYWHERE) {
        const [invoice_id, another] = [await invoice(), await invoice()]
        const made = await make(kind, { invoice_id })
        expect(made.status, JSON.stringify(made.body)).to.equal(200)
        const key = String(made.body.id)
        const beyond: JsonObject[] = [
          { allocations: [{ invoice_id: another, amount: 10 }] },
          { invoice_id: another },
          { status: 'authorized' },
          { processing_id: checkout.other },
        ]
        for (const more of beyond) {
          const { status } = await checkout.pay(key, more)
          expect(status, `${kind} ${JSON.stringify(more)}`).to.be.oneOf([400, 403])
        }
        const paid = await checkout.pay(key)
        expect([paid.status, paid.body.customer_id], kind).to.deep.equal([200, checkout.customer])
        expect((await checkout.pay(key)).status, `${kind}, again`).to.equal(400)
        const due = await checkout.service.ask(checkout.secret, 'GET', `/invoices/${invoice_id}`)
        expect(due.body.amount_due, kind).to.equal(0)
      }
    })

    it('bind a key to one link, which is paid once and to its own account', async () => {
      for (const kind of EVERYWHERE) {
        const { shop, other } = checkout
        const options = { card_payments: false }
        const link = await checkout.idOf('/payment_links', {
          amount: 10,
          processing_id: shop,
          checkout_options: options,
        })
        const refused = await make(kind, { payment_link_id: link, processing_id: other })
        expect(refused.status, kind).to.equal(400)
        const made = await make(kind, { payment_link_id: link })
        const key = String(made.body.id)
        const within = { payment_method: bankAccount(), processing_id: null }
        const beyond: JsonObject[] = [
          { processing_id: other },
          { payment_method: card() },
          { status: 'authorized' },
          { amount: 9 },
        ]
        for (const more of beyond) {
          const { status } = await checkout.pay(key, { ...within, ...more })
          expect(status, `${kind} ${JSON.stringify(more)}`).to.be.oneOf([400, 403])
        }
        const paid = await checkout.pay(key, within)
        expect([paid.status, paid.body.processing_id], JSON.stringify(paid.body)).to.deep.equal([200, shop])
        expect((await checkout.pay(key, within)).status, `${kind}, again`).to.equal(400)
      }
    })

    it('must include the account of the key, and a key that can never pay is refused at creation', async () => {
      const link = await checkout.idOf('/payment_links', { amount: 10, processing_id: checkout.shop })
      const named: JsonObject[] = [{ payment_link_id: link }, { invoice_id: await invoice() }]
      for (const kind of EVERYWHERE)
        for (const options of named) {
          const body = { type: 'client', processing_id: checkout.other, intent: intentOf(kind, options) }
          const made = await checkout.service.ask(checkout.secret, 'POST', '/access_tokens', body)
          expect(made.status, `${kind} ${JSON.stringify(options)}`).to.equal(400)
          expect(JSON.stringify(made.body.details), kind).to.match(/"processing_id":"Must be the /)
        }
    })

    it('create the link of a checkout page only for creators who may create links', async () => {
      const grants = { access_tokens: ['POST'], transactions: ['POST'] }
      const [without, allowed] = [
        await checkout.service.key({ grants }),
        await checkout.service.key({ grants: { ...grants, payment_links: ['POST'] } }),
      ]
      const body = { type: 'client', processing_id: checkout.shop }
      for (const kind of PAGES) {
        const intent = intentOf(kind, { amount: 10 })
        const statuses = []
        for (const key of [without, allowed])
          statuses.push(
            (await checkout.service.ask(key, 'POST', '/access_tokens', { ...body, intent })).status,
          )
        expect(statuses, kind).to.deep.equal([403, 200])
      }
    })

    it('for a page cannot be combined with a payment link, which has its own terms', async () => {
      const link = await checkout.idOf('/payment_links', { amount: 10, processing_id: checkout.shop })
      const others: JsonObject = {
        amount: 10,
        description: 'A book',
        customer_id: checkout.customer,
        processing_id: checkout.shop,
        order_number: '7',
        card_payments: true,
        redirects: { success_url: 'https://shop.example/' },
      }
      for (const kind of PAGES)
        for (const [name, value] of Object.entries(others)) {
          const { status, body } = await make(kind, { payment_link_id: link, [name]: value })
          expect([status, objectOf(objectOf(body.details).intent)], `${kind}: ${name}`).to.deep.equal([
            400,
            { [kind]: { [name]: 'Must not be sent with payment_link_id' } },
          ])
        }
    })

    it('leave the choice of authorizing or capturing to the page by default', async () => {
      for (const kind of NO_PAGES)
        for (const status of ['authorized', 'processed']) {
          const key = String((await make(kind, { amount: 10 })).body.id)
          const paid = await checkout.pay(key, { status })
          expect([paid.status, paid.body.status], `${kind} ${status}`).to.deep.equal([200, status])
          const voided = await checkout.pay(key, { status: 'voided' })
          expect(voided.status, kind).to.equal(400)
        }
    })
  })
})
