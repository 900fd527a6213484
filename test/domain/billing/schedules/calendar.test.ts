import { expect } from 'chai'
import { slotsBetween } from '../../../../src/domain/billing/schedules/slots.js'
import { addDays } from '../../../../src/platform/calendar/date.js'
import { localDate } from '../../../../src/platform/calendar/zone.js'
import { millisecondsOf } from '../../../../src/schema/datetime.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { payctl } from '../../../cli/commands/payctl.js'
import { seededChance } from '../../../support/chance.js'
import { idOf, openCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card } from '../../../support/examples.js'
import { openShop, type Shop } from '../invoices.js'
import {
  advance,
  dueDates,
  invoicesOf,
  jump,
  openBilling,
  paymentsOf,
  rowsOf,
  run,
  START,
  schedule,
} from './schedules.js'

const DAY = 86_400_000

describe('billing over time', () => {
  onDatabases((open) => {
    let shop: Shop
    beforeEach(async () => {
      shop = await openBilling(open)
    })

    /** Removes the default method, so that no customer is charged any more. */
    const withoutMethod = ({ core, method }: Shop) =>
      core.ok('PUT', `/payment_methods/${method}`, { default_payment_method: false })
    /** Moves the shop to a time zone. */
    const moveTo = async (timezone: string) => {
      const org = idOf(
        await shop.core.ok('POST', '/orgs', {
          name: 'Park',
          industry: 'books',
          org_type: 'merchant',
          timezone,
        }),
      )
      await shop.core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id: org })
      return org
    }
    const billedAt = (answer: JsonObject) =>
      rowsOf(answer, 'done')
        .filter(({ job }) => job === 'billing')
        .map(({ at }) => at)

    it('returns to day 31 and to 29 February after shorter months', async () => {
      await withoutMethod(shop)
      const last = await schedule(shop, 'monthly', { monthly: { billing_day: 31 } })
      const leap = await schedule(shop, 'annually', { annually: { billing_day: 29, billing_month: 2 } })
      await advance(shop.core, '17mo')
      await jump(shop.core, '2031-03-01 12:00:00')
      await run(shop.core)
      expect((await dueDates(shop.core, last)).slice(0, 17)).to.deep.equal([
        '2026-11-30',
        '2026-12-31',
        '2027-01-31',
        '2027-02-28',
        '2027-03-31',
        '2027-04-30',
        '2027-05-31',
        '2027-06-30',
        '2027-07-31',
        '2027-08-31',
        '2027-09-30',
        '2027-10-31',
        '2027-11-30',
        '2027-12-31',
        '2028-01-31',
        '2028-02-29',
        '2028-03-31',
      ])
      expect(await dueDates(shop.core, leap)).to.deep.equal([
        '2027-02-28',
        '2028-02-29',
        '2029-02-28',
        '2030-02-28',
        '2031-02-28',
      ])
    })

    it('begins days at local midnight across daylight-saving changes', async () => {
      await withoutMethod(shop)
      await moveTo('America/New_York')
      await schedule(shop, 'daily', { start_date: '2027-03-13', end_date: '2027-03-15' })
      await schedule(shop, 'daily', { start_date: '2027-11-06', end_date: '2027-11-08' })
      expect(billedAt(await advance(shop.core, '1y'))).to.deep.equal([
        '2027-03-13 05:00:00',
        '2027-03-14 05:00:00',
        '2027-03-15 04:00:00',
        '2027-11-06 04:00:00',
        '2027-11-07 04:00:00',
        '2027-11-08 05:00:00',
      ])
    })

    it('begins days at another midnight after the organization moves', async () => {
      await withoutMethod(shop)
      const org = await moveTo('Pacific/Auckland')
      const id = await schedule(shop, 'daily', { end_date: '2026-11-25' })
      expect(await dueDates(shop.core, id)).to.deep.equal([])
      await advance(shop.core, '1d')
      await shop.core.ok('PUT', `/orgs/${org}`, { timezone: 'Pacific/Honolulu' })
      expect(billedAt(await advance(shop.core, '1w'))).to.deep.equal([
        '2026-11-24 10:00:00',
        '2026-11-25 10:00:00',
      ])
      expect(await dueDates(shop.core, id)).to.deep.equal([
        '2026-11-22',
        '2026-11-23',
        '2026-11-24',
        '2026-11-25',
      ])
    })

    it('retries declined payments at the new start of the day', async () => {
      const declining = {
        ...card('4111111111119904'),
        account_id: shop.customer,
        default_payment_method: true,
      }
      await shop.core.ok('POST', '/payment_methods', declining)
      const org = await moveTo('Pacific/Auckland')
      await schedule(shop, 'annually')
      await advance(shop.core, '1d')
      await shop.core.ok('PUT', `/orgs/${org}`, { timezone: 'Pacific/Honolulu' })
      const retried = rowsOf(await advance(shop.core, '3d'), 'done')
        .filter(({ job }) => job === 'automatic_payments')
        .map(({ at }) => at)
      expect(retried).to.deep.equal(['2026-11-24 10:00:00', '2026-11-25 10:00:00'])
    })

    it('has the same result after 90 days of downtime as without', async () => {
      const make = async (own: Shop) => {
        await withoutMethod(own)
        const ids = []
        for (const [frequency, more] of SCHEDULES) ids.push(await schedule(own, frequency, more))
        return ids
      }
      const other = await openBilling(open)
      const served = await make(shop)
      const down = await make(other)
      for (let day = 0; day < 90; day += 5) await advance(shop.core, '5d')
      await jump(other.core, '2027-02-19 15:00:00')
      await run(other.core)
      const shown = async (own: Shop, ids: readonly string[]) => {
        const fields = 'due_date,description,type,status,total_due,amount_due,items,billing_contact'
        const invoices = []
        for (const id of ids) invoices.push(await invoicesOf(own.core, id, fields))
        return JSON.stringify(invoices).replaceAll(/"(\w*_?id|\w+_at)":"[^"]*"/g, '"$1":"…"')
      }
      const expected = await shown(shop, served)
      expect(expected).to.include('2027-02-13')
      expect(await shown(other, down)).to.equal(expected)
    })

    it('charges once for each payment that was due in a downtime', async () => {
      await schedule(shop, 'weekly')
      await jump(shop.core, '2027-02-19 15:00:00')
      await run(shop.core)
      await advance(shop.core, '1d')
      expect(await paymentsOf(shop, 'amount,status')).to.deep.equal(
        Array<JsonObject>(14).fill({ amount: 20, status: 'processed' }),
      )
    })

    for (const seed of [1, 2])
      it(`neither repeats nor loses a slot when the clock jumps back and forth (seed ${seed})`, async () => {
        const random = seededChance(seed)
        const ids = [
          await schedule(shop, 'weekly', { charges: [{ amount: 3 }] }),
          await schedule(shop, 'monthly'),
        ]
        let furthest = START
        for (let step = 0; step < 8; step++) {
          const days = random.pick([-2 * 365, 1, 30, 200]) ?? 0
          const now = START + days * DAY + random.integer(0, 47) * 3_600_000
          await jump(shop.core, new Date(now).toISOString().slice(0, 19).replace('T', ' '))
          if (random.percent(30)) await advance(shop.core, '1w')
          else await run(shop.core)
          furthest = Math.max(furthest, now)
        }
        await jump(shop.core, new Date(furthest).toISOString().slice(0, 19).replace('T', ' '))
        await advance(shop.core, '30d')
        const last = new Date(furthest + 30 * DAY - 5 * 3_600_000).toISOString().slice(0, 10)
        let charged = 0
        for (const [n, frequency] of (['weekly', 'monthly'] as const).entries()) {
          const slots = [
            ...slotsBetween({ frequency, startDate: '2026-11-21', endDate: null }, '2026-11-21', last),
          ]
          expect(await dueDates(shop.core, ids[n] ?? '')).to.deep.equal(slots)
          charged += slots.length
        }
        expect(await paymentsOf(shop, 'status')).to.have.length(charged)
      })

    it('bills once if two processes run at the same time', async () => {
      const own = await openShop(await openCore(open))
      const today = await schedule(own, 'daily', { start_date: '2020-01-01' })
      const path = `/billing_schedules/${today}`
      // Other processes use the real time: the schedule covers ten days, the last of which is today.
      const { created_at: at } = await own.core.ok('GET', path)
      const first = localDate('America/New_York', millisecondsOf(String(at)))
      const day = (n: number) => addDays(first, n)
      await own.core.ok('PUT', path, { start_date: day(3), end_date: day(12) })
      const weekly = await schedule(own, 'weekly', { start_date: day(3), end_date: day(12) })
      await own.core.ok('PUT', '/admin/clock', { offset: (12 * DAY) / 1000 })
      const words = ['billing', 'run', '--json']
      const outcomes = await Promise.all([payctl(own.core.place, words), payctl(own.core.place, words)])
      expect(outcomes.map(({ exitCode }) => exitCode)).to.deep.equal([0, 0])
      const counts = outcomes.map(({ stdout }) => Number(JSON.parse(stdout).count))
      expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(12)
      const days = Array.from({ length: 10 }, (_, n) => day(n + 3))
      expect(await dueDates(own.core, today)).to.deep.equal(days)
      expect(await dueDates(own.core, weekly)).to.deep.equal([day(3), day(10)])
      expect(await paymentsOf(own, 'status')).to.deep.equal(
        Array<JsonObject>(12).fill({ status: 'processed' }),
      )
    })
  })
})

const SCHEDULES: readonly (readonly [string, JsonObject])[] = [
  ['daily', { type: 'a', end_date: '2026-12-16', charges: [{ amount: 1.05, qty: 2.5 }, { amount: 2 }] }],
  ['weekly', { description: 'b' }],
  ['biweekly', { end_date: '2027-01-15' }],
  ['bimonthly', { bimonthly: { first_billing_day: 30, second_billing_day: 31 } }],
  ['monthly', { monthly: { billing_day: 31 } }],
  ['quarterly', {}],
  ['annually', { annually: { billing_day: 29, billing_month: 2 } }],
]
