import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { idOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { advance, invoicesOf, openBilling, paymentsOf, run, schedule } from '../schedules/schedules.js'

describe('an automatic payment', () => {
  onDatabases('locks', (open) => {
    for (const [where, options] of [
      ['at once', {}],
      ['by a gateway', { gateway: remoteSimulator() }],
    ] as const)
      it(`is not repeated after the merchant voids it, if it was taken ${where}`, async () => {
        const shop = await openBilling(open, options)
        const id = await schedule(shop, 'annually')
        await run(shop.core)
        const [payment = {}] = await paymentsOf(shop, 'id,status')
        expect(payment).to.include({ status: 'processed' })
        await shop.core.ok('PUT', `/transactions/${idOf(payment)}`, { status: 'voided' })
        await advance(shop.core, '7d')
        expect(await paymentsOf(shop, 'status')).to.deep.equal([{ status: 'voided' }])
        expect(await invoicesOf(shop.core, id, 'amount_due')).to.deep.equal([{ amount_due: 20 }])
        expect((await shop.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
      })

    it('without an outcome blocks the next payment, even if its item was deleted', async () => {
      const gateway = remoteSimulator()
      const shop = await openBilling(open, { gateway })
      const id = await schedule(shop, 'annually')
      gateway.script('times_out_after')
      await run(shop.core)
      const [invoice = {}] = await invoicesOf(shop.core, id, 'id')
      // The item that waits for the payment is not sent, which deletes that item.
      const items = [{ entry_type: 'charge', amount: 25 }]
      await shop.core.ok('PUT', `/invoices/${idOf(invoice)}`, { items })
      await advance(shop.core, '2d')
      expect(await paymentsOf(shop, 'amount,status')).to.deep.equal([{ amount: 20, status: 'processing' }])
    })
  })
})
