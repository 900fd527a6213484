import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { idOf } from '../../../support/core.js'
import { onEachDatabase } from '../../../support/databases.js'
import { advance, invoicesOf, openBilling, paymentsOf, run, schedule } from '../schedules/schedules.js'

describe('an automatic payment that the merchant voids', () => {
  onEachDatabase((open) => {
    for (const [where, options] of [
      ['at once', {}],
      ['by a gateway', { gateway: remoteSimulator() }],
    ] as const)
      it(`is not taken again, when it was taken ${where}`, async () => {
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
  })
})
