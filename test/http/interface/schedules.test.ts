import { expect } from 'chai'
import { idOf, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { openShop, type Shop } from './shop.js'

onEachDatabase((open) => {
  describe('a billing schedule', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('says whether it makes invoices: not without a frequency', async () => {
      const body = { customer: { name: 'Ada' }, processing_id: shop.account }
      const schedule = await shop.ok('POST', '/billing_schedules', { ...body, charges: [{ amount: 5 }] })
      expect(schedule).to.include({ status: 'without_frequency', recurring_frequency: null })
      const path = `/billing_schedules/${idOf(schedule)}`
      const monthly = { recurring_frequency: 'monthly' }
      expect(await shop.ok('PUT', path, monthly)).to.include({ status: 'active' })
      const idle = await shop.ok('POST', '/billing_schedules', { ...body, ...monthly })
      expect(idle).to.include({ status: 'idle' })
      for (const [status, count] of [
        ['active', 1],
        ['idle', 1],
        ['without_frequency', 0],
      ] as const) {
        const found = await shop.ok('GET', `/billing_schedules?status=${status}`)
        expect(valuesOf(found), status).to.have.length(count)
      }
    })
  })
})
