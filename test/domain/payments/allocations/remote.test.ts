import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import {
  allocatedOf,
  become,
  bill,
  openShop,
  payWith,
  refund,
  type Shop,
  totals,
  totalsOf,
} from '../../billing/invoices.js'

describe('allocations during a request to a remote gateway', () => {
  onDatabases((open) => {
    let core: TestCore
    let gateway: RemoteSimulator
    let shop: Shop
    before(async () => {
      gateway = remoteSimulator()
      core = await openCore(open, { gateway })
      shop = await openShop(core)
    })

    it('pay the invoice when the payment is processed', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      expect(paid).to.include({ status: 'processed' })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('wait until the outcome is known', async () => {
      const invoice = await bill(shop, [30])
      gateway.script('times_out_after')
      const paid = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      expect(paid).to.include({ status: 'processing' })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await core.environment.reconcile(0)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('pay as much as still fits when the outcome is known', async () => {
      const invoice = await bill(shop, [30])
      gateway.script('times_out_after')
      const slow = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      await payWith(shop, 20, [{ invoice_id: idOf(invoice) }])
      await core.environment.reconcile(0)
      expect(await allocatedOf(core, slow)).to.deep.equal([[invoice.id, -10]])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('are removed if the payment never reached the gateway', async () => {
      const invoice = await bill(shop, [30])
      gateway.script('fails_before')
      const lost = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      await core.environment.reconcile(0)
      expect(await allocatedOf(core, lost)).to.deep.equal([[invoice.id, 0]])
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
    })

    it('are reversed only after a void or refund has reached the gateway', async () => {
      const one = await bill(shop, [30])
      const two = await bill(shop, [30])
      const first = await payWith(shop, 30, [{ invoice_id: idOf(one) }])
      const second = await payWith(shop, 30, [{ invoice_id: idOf(two) }])
      gateway.script('times_out_after')
      await become(core, first, 'voided')
      gateway.script('times_out_after')
      await refund(core, second, 5)
      for (const invoice of [one, two])
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
      const busy = await core.send('POST', `/transactions/${second.id}/allocations`, {
        invoice_id: idOf(await bill(shop, [1])),
      })
      expect(busy.body.details).to.deep.equal({ amount: 'Exceeds unallocated amount of 0.00' })
      await core.environment.reconcile(0)
      expect(await totalsOf(core, one)).to.deep.equal(totals(30, 0, 'pending'))
      expect(await totalsOf(core, two)).to.deep.equal(totals(30, 25, 'partially_paid'))
    })

    it('stay if a refund did not reach the gateway', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      gateway.script('fails_before')
      await refund(core, paid, 30)
      await core.environment.reconcile(0)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })

    it('wait while another operation on the payment is pending', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 40, [{ invoice_id: idOf(invoice) }])
      gateway.script('times_out_after')
      await refund(core, paid, 5)
      const path = `/transactions/${paid.id}/allocations`
      const more = { invoice_id: idOf(await bill(shop, [5])) }
      expect((await core.send('POST', path, more)).status).to.equal(409)
      await core.environment.reconcile(0)
      expect(await core.ok('POST', path, more)).to.include({ total: -5 })
    })

    it('keep the answer of a line item open until the outcome of its payment', async () => {
      const invoice = await bill(shop, [30])
      const path = `/invoices/${invoice.id}/items`
      const item = { entry_type: 'payment', payment: { type: 'payment', amount: 30 } }
      gateway.script('times_out_after')
      expect(await core.ok('POST', path, item, { idempotencyKey: 'item' })).to.include({ total: 0 })
      await core.environment.reconcile(0)
      expect(await core.ok('POST', path, item, { idempotencyKey: 'item' })).to.include({
        amount: -30,
        total: -30,
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
    })
  })
})
