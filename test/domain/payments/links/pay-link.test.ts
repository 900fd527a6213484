import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { narrowed } from '../../../engine/core/merchants.js'
import { countOf, idOf, objectOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../../support/examples.js'
import { bill, openShop, type Shop, totals, totalsOf } from '../../billing/invoices.js'
import { eventsOf } from '../books.js'

const START = Date.UTC(2026, 10, 21, 12)
const DECLINING = card('4111 1111 1111 9904')

describe('a payment through a link', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop

    const begin = async (gateway?: RemoteSimulator) => {
      core = await openCore(open, { clock: { now: () => START }, ...(gateway && { gateway }) })
      shop = await openShop(core)
    }
    beforeEach(() => begin())

    const make = async (body: JsonObject = {}) =>
      await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing, ...body })
    const pay = async (link: JsonObject, body: JsonObject = {}) =>
      await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 20,
        payment_link_id: idOf(link),
        payment_method: card(),
        ...body,
      })
    const statusOf = async (link: JsonObject) => (await core.ok('GET', `/payment_links/${idOf(link)}`)).status
    const refused = async (link: JsonObject, body: JsonObject, details: Json) => {
      const answer = await pay(link, body)
      expect([answer.status, answer.body.details], JSON.stringify(body)).to.deep.equal([400, details])
    }

    it('goes to the account of the link, and completes it', async () => {
      const other = await makeProcessing(core)
      const link = await make({ processing_id: other, description: 'A book' })
      const { status, body } = await pay(link)
      expect(status).to.equal(200)
      expect(body).to.include({
        status: 'processed',
        processing_id: other,
        description: 'A book',
        customer_id: null,
      })
      expect(body).to.not.have.property('payment_link_id')
      const shown = await core.ok('GET', `/transactions/${body.id}`, undefined, {
        query: 'fields=payment_link_id',
      })
      expect(shown).to.deep.equal({ payment_link_id: link.id })
      expect(await statusOf(link)).to.equal('completed')
      expect(await eventsOf(core, idOf(link))).to.deep.equal([
        'payment_link:status active',
        'payment_link:status completed',
      ])
      await refused(link, {}, { payment_link_id: 'Is completed' })
    })

    it('can be repeated if the link is reusable', async () => {
      const link = await make({ type: 'reusable' })
      for (let n = 0; n < 3; n++) expect((await pay(link)).body.status).to.equal('processed')
      expect(await statusOf(link)).to.equal('active')
      expect(await countOf(core, '/transactions')).to.equal(3)
    })

    it('leaves the link unchanged if it is declined', async () => {
      const link = await make()
      const { body } = await pay(link, { payment_method: DECLINING })
      expect(body.error_type).to.equal('TransactionDeclined')
      expect(await statusOf(link)).to.equal('active')
      expect((await pay(link)).body.status).to.equal('processed')
    })

    it('completes the link permanently even if it is only authorized', async () => {
      const link = await make()
      const { body } = await pay(link, { status: 'authorized' })
      expect([body.status, await statusOf(link)]).to.deep.equal(['authorized', 'completed'])
      await core.ok('PUT', `/transactions/${body.id}`, { status: 'voided' })
      expect(await statusOf(link)).to.equal('completed')
    })

    it('pays the invoice of the link, for its customer', async () => {
      const invoice = await bill(shop, [15, 5], { description: 'March' })
      const link = await make({ amount: null, invoice_id: idOf(invoice) })
      const { body } = await pay(link)
      expect(body).to.include({ status: 'processed', customer_id: shop.customer, description: 'March' })
      expect(objectOf(body.payment_method).account_id).to.equal(shop.customer)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(20, 20, 'paid'))
      expect(await statusOf(link)).to.equal('completed')
    })

    it('pays the whole amount due, or a part if the link is reusable', async () => {
      const invoice = await bill(shop, [30])
      const once = await make({ amount: null, invoice_id: idOf(invoice) })
      const parts = await make({ amount: null, invoice_id: idOf(invoice), type: 'reusable' })
      await refused(once, { amount: 20 }, { amount: 'Must be 30.00' })
      await refused(parts, { amount: 31 }, { amount: 'Must be at most 30.00' })
      expect((await pay(parts, { amount: 10 })).body.status).to.equal('processed')
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 10, 'partially_paid'))
      await refused(once, { amount: 30 }, { amount: 'Must be 20.00' })
      expect((await pay(once)).body.status).to.equal('processed')
      await refused(parts, { amount: 1 }, { payment_link_id: 'Nothing is due' })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('must match the link, which must be active and not expired', async () => {
      const link = await make({ customer_id: shop.customer, expires_at: '2026-11-22 12:00:00' })
      const invoices = await make({ amount: null, invoice_id: idOf(await bill(shop, [20])) })
      const other = await makeProcessing(core)
      const eve = await makeCustomer(core, shop.processing, 'Eve')
      await refused(link, { amount: 19.99 }, { amount: 'Must be 20.00' })
      await refused(link, { processing_id: other }, { processing_id: "Must be the payment link's" })
      await refused(link, { processing: { id: other } }, { processing_id: "Must be the payment link's" })
      await refused(link, { customer_id: eve }, { customer_id: "Must be the payment link's" })
      await refused(link, { customer: { name: 'Eve' } }, { customer: "Must be the payment link's" })
      await refused(link, { payment_link_id: 'plnk_nobody' }, { payment_link_id: 'Not found' })
      await refused(
        invoices,
        { allocations: [{ invoice_id: invoices.invoice_id ?? null }] },
        {
          allocations: 'Must not be sent with the payment link of an invoice',
        },
      )
      for (const type of ['refund', 'credit'])
        await refused(link, { type }, { payment_link_id: 'Only a payment goes through a link' })
      await core.ok('PUT', `/payment_links/${link.id}`, { status: 'inactive' })
      await refused(link, {}, { payment_link_id: 'Is inactive' })
      await core.ok('PUT', `/payment_links/${link.id}`, { status: 'active' })
      await core.ok('PUT', '/admin/clock', { now: '2026-11-22 12:00:00' })
      await refused(link, {}, { payment_link_id: 'Is expired' })
      expect(await countOf(core, '/transactions')).to.equal(0)
      await core.ok('DELETE', `/invoices/${invoices.invoice_id}`)
      await refused(invoices, {}, { payment_link_id: 'Its invoice is deleted' })
    })

    it("charges the default method of the link's customer if no method is sent", async () => {
      const link = await make({ customer_id: shop.customer })
      const { body } = await pay(link, { payment_method: null })
      expect([body.status, body.payment_method_id]).to.deep.equal(['processed', shop.method])
    })

    it('needs the link in the scope of the key, but no grant to pay its invoice', async () => {
      const invoice = await bill(shop, [20])
      const link = await make({ amount: null, invoice_id: idOf(invoice) })
      const body = { type: 'payment', amount: 20, payment_link_id: idOf(link), payment_method: card() }
      const foreign = narrowed(await makeProcessing(core))
      const answer = await core.send('POST', '/transactions', body, { principal: foreign })
      expect([answer.status, answer.body.details]).to.deep.equal([400, { payment_link_id: 'Not found' }])
      const principal = { ...narrowed(shop.processing), grants: { transactions: ['POST'] } } as const
      expect((await core.send('POST', '/transactions', body, { principal })).status).to.equal(200)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(20, 20, 'paid'))
    })

    it('uses a one-time link once, even if two payments arrive at the same time', async () => {
      const link = await make()
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => pay(link)))
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400])
      expect(await countOf(core, '/transactions')).to.equal(1)
    })

    it('of a list uses a link once, and otherwise no payment of the list is made', async () => {
      const link = await make()
      const one = { type: 'payment', amount: 20, payment_link_id: idOf(link), payment_method: card() }
      const { status, body } = await core.send('POST', '/transactions', [one, one])
      expect([status, body.details]).to.deep.equal([400, { 1: { payment_link_id: 'Is completed' } }])
      expect(await statusOf(link)).to.equal('active')
      const dry = await core.send('POST', '/transactions', one, { dryRun: true })
      expect([dry.status, await statusOf(link)]).to.deep.equal([200, 'active'])
    })

    describe('through a remote gateway', () => {
      let gateway: RemoteSimulator
      beforeEach(async () => {
        gateway = remoteSimulator()
        await begin(gateway)
      })

      it('reserves the link until the outcome is known', async () => {
        const link = await make({ expires_at: '2026-11-22 12:00:00' })
        gateway.script('times_out_after')
        const { body } = await pay(link)
        expect([body.status, await statusOf(link)]).to.deep.equal(['processing', 'active'])
        const second = await pay(link)
        expect([second.status, second.body.error_description]).to.deep.equal([
          409,
          `A payment through ${link.id} is under way`,
        ])
        await core.ok('POST', '/admin/clock', { by: '2d' })
        expect(await statusOf(link)).to.equal('expired')
        await core.environment.reconcile(0)
        expect((await core.ok('GET', `/transactions/${body.id}`)).status).to.equal('processed')
        expect(await statusOf(link)).to.equal('completed')
      })

      it('releases the link if it never reached the gateway, or was declined', async () => {
        const link = await make()
        gateway.script('fails_before')
        await pay(link)
        expect((await pay(link)).status).to.equal(409)
        await core.environment.reconcile(0)
        expect((await pay(link, { payment_method: DECLINING })).body.error_type).to.equal(
          'TransactionDeclined',
        )
        expect((await pay(link)).body.status).to.equal('processed')
        expect(await statusOf(link)).to.equal('completed')
      })

      it('pays the invoice when it is processed', async () => {
        const invoice = await bill(shop, [20])
        const link = await make({ amount: null, invoice_id: idOf(invoice) })
        gateway.script('times_out_after')
        await pay(link)
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(20, 0, 'pending'))
        await core.environment.reconcile(0)
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(20, 20, 'paid'))
        expect(await statusOf(link)).to.equal('completed')
      })
    })
  })
})
