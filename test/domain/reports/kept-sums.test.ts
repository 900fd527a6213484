import { expect } from 'chai'
import { keepDaySums } from '../../../src/domain/reports/keep-day-sums.js'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import { Business } from '../../support/business.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

const NAMES = ['summary', 'statement', 'deposits', 'fees', 'disputes', 'aging', 'journal'] as const
const PERIOD = 'from=2030-03-08&to=2030-03-12'

onDatabases('sql', (open) => {
  describe('stored daily sums', () => {
    const opened = async () => {
      const business = await Business.open(open, {}, '2030-03-08 17:00:00')
      const { core } = business
      const [bakery, library] = [await business.account(), await business.account()]
      for (const at of ['2030-03-10 06:30:00', '2030-03-10 12:00:00', '2030-03-11 03:59:59']) {
        business.at(at)
        await pay(core, bakery, 10)
        await pay(core, library, 20)
      }
      business.at('2030-04-02 17:00:00')
      const read = async (query = PERIOD, principal?: Principal) => {
        const texts: string[] = []
        for (const name of NAMES)
          texts.push(
            JSON.stringify(
              await core.ok('GET', `/admin/reports/${name}`, undefined, {
                query,
                ...(principal && { principal }),
              }),
            ),
          )
        return texts
      }
      const keep = async (one = core) =>
        await keepDaySums(one.environment.runner, new AbortController().signal)
      const empty = async () =>
        await core.environment.core.write(({ tx: { db } }) => db.deleteFrom('report_days').execute())
      return { business, core, bakery, library, read, keep, empty }
    }

    it('do not affect reports after an organization changes its time zone', async () => {
      const { core, bakery, read, keep, empty } = await opened()
      const made = { name: 'Shops', industry: 'books', org_type: 'merchant', timezone: 'Pacific/Auckland' }
      const org = idOf(await core.ok('POST', '/orgs', made))
      await core.ok('PUT', `/accounts/${bakery}`, { parent_org_id: org })
      const ofBakery = async () => await read(`${PERIOD}&account=${bakery}`)
      const zoneOf = (texts: readonly string[]) => objectOf(JSON.parse(texts[0] ?? '{}')).zone
      await keep()
      expect(zoneOf(await ofBakery())).to.equal('Pacific/Auckland')
      await core.ok('PUT', `/orgs/${org}`, { timezone: 'Europe/London' })
      const kept = await ofBakery()
      expect(zoneOf(kept)).to.equal('Europe/London')
      await keep()
      expect(await ofBakery()).to.deep.equal(kept)
      await empty()
      expect(await ofBakery()).to.deep.equal(kept)
    })

    it('are correct after several processes stored the same days at once, beside payments', async () => {
      const { business, core, bakery, read, keep, empty } = await opened()
      const others = [await business.another(open), await business.another(open)]
      await Promise.all([keep(), ...others.map(keep), pay(core, bakery, 5)])
      business.at('2030-03-10 15:00:00')
      await Promise.all([keep(), ...others.map(keep), pay(core, bakery, 7), pay(core, bakery, 8)])
      business.at('2030-04-02 17:00:00')
      await Promise.all([keep(), ...others.map(keep)])
      const kept = await read()
      await empty()
      expect(await read()).to.deep.equal(kept)
    })

    it('are correct for a day that is read in several parts', async () => {
      const { business, core, bakery, library, read, keep, empty } = await opened()
      for (const second of ['04', '05', '06']) {
        business.at(`2030-03-11 12:00:${second}`)
        for (let n = 0; n < 100; n++) await Promise.all([pay(core, bakery, n + 1), pay(core, library, 3)])
      }
      business.at('2030-04-02 17:00:00')
      const { number } = await core.environment.core.read(({ tx: { db } }) =>
        db
          .selectFrom('postings')
          .select(({ fn }) => fn.countAll<number>().as('number'))
          .executeTakeFirstOrThrow(),
      )
      expect(Number(number), 'postings, so that parts are needed').to.be.above(1_000)
      await keep()
      const kept = await read()
      await empty()
      expect(await read()).to.deep.equal(kept)
    })

    it('show a narrowed key only its accounts, with and without an account filter', async () => {
      const { core, bakery, library, read, keep } = await opened()
      await keep()
      const key: Principal = { kind: 'key', id: 'key_bakery', manage: true, processingIds: [bakery] }
      const texts = await read(PERIOD, key)
      expect(texts.join()).not.to.include(library)
      const own = (await read(`${PERIOD}&account=${bakery}`)).map((text) => ({
        ...objectOf(JSON.parse(text)),
        account: null,
      }))
      expect(texts.map((text) => objectOf(JSON.parse(text)))).to.deep.equal(own)
      for (const name of NAMES) {
        const query = `${PERIOD}&account=${library}`
        const refused = await core.send('GET', `/admin/reports/${name}`, undefined, { query, principal: key })
        expect(refused.status, name).to.equal(400)
      }
    })

    it('cover a day of 23 hours completely', async () => {
      const { core, keep } = await opened()
      await keep()
      const { totals } = await core.ok('GET', '/admin/reports/summary', undefined, {
        query: 'from=2030-03-10&to=2030-03-10',
      })
      expect(objectOf(totals)).to.include({ payments: 6, volume: 90, success: 100 })
    })
  })

  describe('receivables', () => {
    it('are the amounts due at the end of the period, even if an invoice was paid later', async () => {
      const business = await Business.open(open, {}, '2030-03-05 17:00:00')
      const { core } = business
      const processing_id = await business.account()
      const customer_id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
      const items = [{ entry_type: 'charge', amount: 40 }]
      const invoice = idOf(
        await core.ok('POST', '/invoices', { customer_id, processing_id, due_date: '2030-03-10', items }),
      )
      business.at('2030-04-12 17:00:00')
      await pay(core, processing_id, 40, { allocations: [{ entry_type: 'payment', invoice_id: invoice }] })
      const at = async (day: string) => {
        const query = `from=${day}&to=${day}`
        const { totals } = await core.ok('GET', '/admin/reports/aging', undefined, { query })
        const { not_due, days_30, days_60, total } = objectOf(totals)
        return [not_due, days_30, days_60, total]
      }
      expect(await at('2030-03-04')).to.deep.equal([0, 0, 0, 0])
      expect(await at('2030-03-10')).to.deep.equal([40, 0, 0, 40])
      expect(await at('2030-03-11')).to.deep.equal([0, 40, 0, 40])
      expect(await at('2030-04-09')).to.deep.equal([0, 40, 0, 40])
      expect(await at('2030-04-10')).to.deep.equal([0, 0, 40, 40])
      expect(await at('2030-04-12')).to.deep.equal([0, 0, 0, 0])
      expect(listOf((await core.ok('GET', '/invoices')).values).map(objectOf)[0]).to.include({
        amount_due: 0,
      })
    })
  })
})
