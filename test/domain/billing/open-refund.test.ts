import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bill, openShop, payWith, refund, type Shop, totals, totalsOf } from './invoices.js'

describe('a refund without an outcome, of a payment for an invoice', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let core: TestCore
    let shop: Shop
    let invoice: JsonObject
    let paid: JsonObject
    beforeEach(async () => {
      gateway = remoteSimulator()
      core = await openCore(open, { gateway })
      shop = await openShop(core)
      invoice = await bill(shop, [10])
      paid = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }])
    })
    const verified = async () => (await core.ok('GET', '/admin/verify')).findings
    const simulate = (event: string, more: JsonObject = {}) =>
      core.send('POST', '/admin/simulate', { event, transaction_id: idOf(paid), ...more })

    it('leaves the invoice paid, and verify without findings, until the outcome is known', async () => {
      gateway.script('times_out_after')
      await refund(core, paid, 4)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 10, 'paid'))
      expect(await verified()).to.deep.equal([])
      await core.environment.reconcile(0)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 6, 'partially_paid'))
      expect(await verified()).to.deep.equal([])
    })

    it('blocks winning a dispute until its outcome is known, so the invoice keeps its amounts', async () => {
      await simulate('chargeback', { amount: 4 })
      gateway.script('fails_before')
      await refund(core, paid, 6)
      expect((await simulate('dispute_won')).status).to.equal(409)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 6, 'partially_paid'))
      await core.environment.reconcile(0)
      expect((await simulate('dispute_won')).status).to.equal(200)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 10, 'paid'))
      expect(await verified()).to.deep.equal([])
    })
  })
})
