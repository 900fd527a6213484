import { expect } from 'chai'
import { keepDaySums } from '../../../src/domain/reports/keep-day-sums.js'
import { cursorOf } from '../../../src/domain/reports/report-cursor.js'
import { owner, type Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'

onDatabases('sql', (open) => {
  describe('reports', () => {
    let business: Business
    let bakery: string
    let library: string

    const pay = async (at: string, amount: number, processing_id: string, number?: string) => {
      business.at(at)
      const body = { type: 'payment', amount, processing_id, payment_method: card(number) }
      return await business.core.send('POST', '/transactions', body)
    }
    const read = async (name: string, query: string, principal: Principal = owner): Promise<JsonObject> =>
      await business.core.ok('GET', `/admin/reports/${name}`, undefined, { query, principal })
    const totals = async (name: string, query: string, principal?: Principal) =>
      objectOf((await read(name, query, principal)).totals)
    const refusal = async (query: string) => {
      const { status, body } = await business.core.send('GET', '/admin/reports/statement', undefined, {
        query,
      })
      return [status, body.details]
    }

    before(async () => {
      business = await Business.open(open, {}, '2030-03-01 17:00:00')
      bakery = await business.account()
      library = await business.account()
      await pay('2030-03-10 04:30:00', 1, bakery)
      await pay('2030-03-10 05:00:00', 2, bakery)
      await pay('2030-03-11 03:59:59', 4, bakery)
      await pay('2030-03-11 04:00:00', 8, bakery)
      await pay('2030-03-31 16:00:00', 16, bakery)
      await pay('2030-04-01 03:59:59', 32, library)
      await pay('2030-04-01 04:00:00', 64, library)
      await pay('2030-04-02 04:00:00', 100.04, library, '4111111111119904')
      business.at('2030-04-15 12:00:00')
    })

    it("cover the last whole month in the organization's time zone by default", async () => {
      const { from, to, zone, totals: figures } = await read('summary', '')
      expect([from, to, zone]).to.deep.equal(['2030-03-01', '2030-03-31', 'America/New_York'])
      expect(objectOf(figures).volume).to.equal(63)
    })

    it('begin and end days correctly when clocks are put forward', async () => {
      const { rows } = await read('summary', 'from=2030-03-09&to=2030-03-11')
      expect(listOf(rows).map((row) => objectOf(row).volume)).to.deep.equal([1, 6, 8])
    })

    it('add up weeks from Monday, and months, cut at both ends of the period', async () => {
      const shown = async (by: string) =>
        listOf((await read('summary', `from=2030-03-06&to=2030-04-01&by=${by}`)).rows)
          .map(objectOf)
          .map(({ date, volume }) => `${date} ${volume}`)
      expect(await shown('week')).to.deep.equal([
        '2030-03-06 7',
        '2030-03-11 8',
        '2030-03-18 0',
        '2030-03-25 48',
        '2030-04-01 64',
      ])
      expect(await shown('month')).to.deep.equal(['2030-03-06 63', '2030-04-01 64'])
    })

    it('refuse a period that is reversed, incomplete, too long, or invalid', async () => {
      expect(await refusal('from=2030-03-02&to=2030-03-01')).to.deep.equal([
        400,
        { to: 'Must be 2030-03-02 or later, as the period begins then' },
      ])
      expect(await refusal('from=2030-03-02')).to.deep.equal([400, { to: 'Required beside from' }])
      expect(await refusal('to=2030-03-02')).to.deep.equal([400, { from: 'Required beside to' }])
      expect(await refusal('from=2020-01-01&to=2031-01-01')).to.deep.equal([
        400,
        { to: 'Must be at most 3660 days after from' },
      ])
      expect((await refusal('from=soon&to=2030-03-02'))[0]).to.equal(400)
      expect((await refusal('since=2030-03-02'))[0]).to.equal(400)
      const march = 'from=2030-03-01&to=2030-03-31'
      for (const moment of ['2030-03-01 05:00:00', '2030-04-01 04:00:00', '2030-03-99 99:99:99', 'soon'])
        expect((await refusal(`${march}&after=${cursorOf({ moment, totals: {} })}`))[0], moment).to.equal(400)
    })

    it('are empty for a period without postings', async () => {
      expect(await totals('statement', 'from=2029-01-01&to=2029-01-31')).to.deep.equal({
        amount: 0,
        fee: 0,
        net: 0,
        opening: 0,
        closing: 0,
      })
      expect((await read('journal', 'from=2029-01-01&to=2029-01-31')).rows).to.deep.equal([])
    })

    it('count declined payments by code', async () => {
      const { declines, totals: figures } = await read('summary', 'from=2030-04-01&to=2030-04-30')
      expect(listOf(declines).map(objectOf)).to.have.length(1)
      expect(objectOf(listOf(declines)[0])).to.include({ payments: 1, amount: 100.04 })
      expect(objectOf(figures)).to.include({ payments: 1, declined: 1, success: 50 })
    })

    it("use the time zone of the account's organization", async () => {
      const org = idOf(
        await business.core.ok('POST', '/orgs', {
          name: 'Southern shops',
          industry: 'books',
          org_type: 'merchant',
          timezone: 'Pacific/Auckland',
        }),
      )
      const shop = await business.account({}, { parent_org_id: org })
      await pay('2030-04-06 10:59:59', 3, shop)
      await pay('2030-04-06 11:00:00', 5, shop)
      await pay('2030-04-07 11:59:59', 7, shop)
      await pay('2030-04-07 12:00:00', 11, shop)
      const { zone, rows } = await read('summary', `from=2030-04-06&to=2030-04-08&account=${shop}`)
      expect(zone).to.equal('Pacific/Auckland')
      expect(listOf(rows).map((row) => objectOf(row).volume)).to.deep.equal([3, 12, 11])
    })

    it('show a narrowed operator only their processing accounts', async () => {
      const narrowed: Principal = {
        kind: 'operator',
        id: 'oper_bakery',
        role: 'viewer',
        manage: true,
        processingIds: [bakery],
      }
      const period = 'from=2030-03-01&to=2030-04-01'
      expect((await totals('summary', period, narrowed)).volume).to.equal(31)
      for (const name of ['statement', 'deposits', 'fees', 'disputes', 'aging', 'journal']) {
        const whole = JSON.stringify(await read(name, period, narrowed))
        expect(whole).not.to.contain(library)
        expect(whole).to.equal(
          JSON.stringify({ ...(await read(name, `${period}&account=${bakery}`)), account: null }),
        )
      }
      const { status, body } = await business.core.send('GET', '/admin/reports/summary', undefined, {
        query: `account=${library}`,
        principal: narrowed,
      })
      expect([status, body.details]).to.deep.equal([400, { account: 'There is no such processing account' }])
      const nobody = { ...narrowed, processingIds: [] }
      expect((await totals('summary', period, nobody)).volume).to.equal(0)
      expect((await read('journal', period, nobody)).rows).to.deep.equal([])
    })

    it('use the stored sums of a day unless a new posting falls on it, and are correct without them', async () => {
      const period = 'from=2030-03-01&to=2030-03-31'
      const right = await read('summary', period)
      const { environment } = business.core
      business.at('2030-05-15 12:00:00')
      expect(await keepDaySums(environment.runner, new AbortController().signal)).to.be.above(30)
      expect(await keepDaySums(environment.runner, new AbortController().signal)).to.equal(0)
      expect(await read('summary', period)).to.deep.equal(right)
      await environment.core.write(({ tx: { db } }) =>
        db
          .updateTable('report_days')
          .set({ amount: 999_00 })
          .where('day', '=', '2030-03-11')
          .where('to_account', '=', 'merchant_payable')
          .execute(),
      )
      expect((await totals('summary', period)).volume).to.equal(63 - 8 + 999)
      await pay('2030-03-11 12:00:00', 128, bakery)
      expect((await totals('summary', period)).volume).to.equal(63 + 128)
      expect((await totals('statement', 'from=2030-05-01&to=2030-05-02')).opening).to.equal(
        (await totals('statement', 'from=2030-04-01&to=2030-04-30')).closing,
      )
      business.at('2030-05-15 12:00:00')
      await environment.core.write(({ tx: { db } }) => db.deleteFrom('report_days').execute())
      expect((await totals('summary', period)).volume).to.equal(63 + 128)
    })
  })
})
