import { expect } from 'chai'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

describe('a card', () => {
  onDatabases((open) => {
    it('is valid through the last day of its month in any time zone', async () => {
      const core = await openCore(open)
      const processing = await makeProcessing(core)
      const typed = { ...card(), card: { card_number: '4242424242424242', expiry: '11/26' } }
      const pay = async (by: object) =>
        (
          await core.send('POST', '/transactions', {
            type: 'payment',
            amount: 5,
            processing_id: processing,
            ...by,
          })
        ).body
      await core.ok('PUT', '/admin/clock', { now: '2026-12-01 11:59:00' })
      const saved = idOf(await core.ok('POST', '/payment_methods', typed))
      expect(await pay({ payment_method: typed })).to.include({ status: 'processed' })
      expect(await pay({ payment_method_id: saved })).to.include({ status: 'processed' })
      await core.ok('PUT', '/admin/clock', { now: '2026-12-01 12:00:00' })
      expect((await pay({ payment_method: typed })).details).to.deep.equal({
        payment_method: { card: { expiry: 'Expired' } },
      })
      expect((await pay({ payment_method_id: saved })).details).to.deep.equal({
        payment_method_id: 'Expired',
      })
    })
  })
})
