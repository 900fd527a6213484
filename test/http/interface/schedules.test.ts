import { expect } from 'chai'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('interface line 11: a billing schedule', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('shows whether it creates invoices: none without a frequency', async () => {
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

    it('shows the billing days that follow from its start, and moves them with it', async () => {
      const body = { customer: { name: 'Ada' }, processing_id: shop.account, start_date: '2031-02-20' }
      const make = async (frequency: string, days = {}) =>
        await shop.ok('POST', '/billing_schedules', { ...body, recurring_frequency: frequency, ...days })
      expect((await make('annually')).annually).to.deep.equal({ billing_day: 20, billing_month: 2 })
      expect((await make('bimonthly')).bimonthly).to.deep.equal({
        first_billing_day: 5,
        second_billing_day: 20,
      })
      const q1 = { billing_day: 1, billing_month: 3 }
      expect((await make('quarterly', { quarterly: { q1 } })).quarterly).to.deep.equal({
        q1,
        q2: { billing_day: 20, billing_month: 5 },
        q3: { billing_day: 20, billing_month: 8 },
        q4: { billing_day: 20, billing_month: 11 },
      })
      const monthly = await make('monthly')
      expect(monthly.monthly).to.deep.equal({ billing_day: 20 })
      const path = `/billing_schedules/${idOf(monthly)}`
      expect((await shop.ok('PUT', path, { start_date: '2031-03-07' })).monthly).to.deep.equal({
        billing_day: 7,
      })
      await shop.ok('PUT', path, { monthly: { billing_day: 31 } })
      expect((await shop.ok('PUT', path, { start_date: '2031-03-09' })).monthly).to.deep.equal({
        billing_day: 31,
      })
      const weekly = await shop.ok('PUT', path, { recurring_frequency: 'weekly' })
      expect(weekly.monthly).to.equal(null)
    })
  })
})
