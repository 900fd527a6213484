import { expect } from 'chai'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { become, bill, openShop, payWith, type Shop, totals, totalsOf } from '../billing/invoices.js'

describe('a capture that does not fit its invoice', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = (await Business.open(open)).core
      shop = await openShop(core)
    })
    afterEach(async () => {
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    const held = async (of: Shop, invoice: JsonObject, amount = 70, more: JsonObject = {}) =>
      await payWith(of, amount, [{ invoice_id: idOf(invoice), ...more }], { status: 'authorized' })
    const capture = (of: TestCore, payment: JsonObject, body: JsonObject = {}) =>
      of.send('POST', `/transactions/${payment.id}/capture`, body)
    const cash = (invoice: JsonObject, amount: number) =>
      core.ok('POST', '/line_items', { invoice_id: idOf(invoice), entry_type: 'payment', amount })

    it('is refused as a status change and as an action, and the error names the amount left', async () => {
      const invoice = await bill(shop, [70])
      const payment = await held(shop, invoice)
      await cash(invoice, 70)
      const text = `${invoice.id} has 0.00 left to pay, and this payment was to pay 70.00 of it.`
      for (const answer of [
        await core.send('PUT', `/transactions/${payment.id}`, { status: 'processed' }),
        await capture(core, payment),
      ]) {
        expect([answer.status, answer.body.error_type]).to.deep.equal([409, 'Conflict'])
        expect(answer.body.error_description).to.include(text)
      }
      expect(await core.ok('GET', `/transactions/${payment.id}`)).to.include({ status: 'authorized' })
      await become(core, payment, 'voided')
    })

    it('succeeds with an explicit flag, and the rest is unallocated', async () => {
      const invoice = await bill(shop, [70])
      const payment = await held(shop, invoice)
      await cash(invoice, 30)
      expect((await capture(core, payment)).status).to.equal(409)
      expect((await capture(core, payment, { allow_unallocated: true })).body).to.include({
        status: 'processed',
        amount: 70,
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(70, 70, 'paid'))
      const other = await bill(shop, [50])
      await core.ok('POST', `/transactions/${payment.id}/allocations`, { invoice_id: idOf(other) })
      expect(await totalsOf(core, other)).to.deep.equal(totals(50, 30, 'partially_paid'))
    })

    it('succeeds for the part that still fits', async () => {
      const invoice = await bill(shop, [70])
      const payment = await held(shop, invoice)
      await core.ok('POST', '/line_items', { invoice_id: idOf(invoice), entry_type: 'charge', amount: -20 })
      expect((await capture(core, payment)).body.error_description).to.include('has 50.00 left to pay')
      expect((await capture(core, payment, { amount: 50 })).body).to.include({ amount: 50 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(50, 50, 'paid'))
    })

    it('is not refused because of an initially unallocated rest', async () => {
      const invoice = await bill(shop, [70])
      const payment = await held(shop, invoice, 100)
      expect((await capture(core, payment)).status).to.equal(200)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(70, 70, 'paid'))
    })

    it('is refused for the second of two authorizations of one invoice, even at the same time', async () => {
      for (const isAtOnce of [false, true]) {
        const invoice = await bill(shop, [70])
        const payments = [await held(shop, invoice), await held(shop, invoice, 70, { amount: 70 })]
        const answers = isAtOnce
          ? await Promise.all(payments.map((payment) => capture(core, payment)))
          : [await capture(core, payments[0] ?? {}), await capture(core, payments[1] ?? {})]
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409])
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(70, 70, 'paid'))
      }
    })

    it('is refused while another capture for the invoice has an unknown outcome', async () => {
      const gateway = remoteSimulator()
      const business = await Business.open(open, { gateway })
      const remote = await openShop(business.core)
      const invoice = await bill(remote, [70])
      const first = await held(remote, invoice)
      const second = await held(remote, invoice)
      gateway.script('times_out_after')
      expect((await capture(business.core, first)).body).to.include({ status: 'authorized' })
      expect((await capture(business.core, second)).status).to.equal(409)
      await business.core.environment.reconcile(0)
      expect(await totalsOf(business.core, invoice)).to.deep.equal(totals(70, 70, 'paid'))
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('is refused for two allocations that together exceed one invoice', async () => {
      const invoice = await bill(shop, [70])
      const twice = [
        { invoice_id: idOf(invoice), amount: 40 },
        { invoice_id: idOf(invoice), amount: 31 },
      ]
      const body = { type: 'payment', amount: 100, customer_id: shop.customer, status: 'authorized' }
      const { status, body: refused } = await core.send('POST', '/transactions', {
        ...body,
        allocations: twice,
      })
      expect([status, refused.details]).to.deep.equal([
        400,
        { allocations: { 1: { amount: 'Exceeds amount due of 30.00' } } },
      ])
    })
  })
})
