import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer } from '../../support/examples.js'

describe('invoice numbers', () => {
  onDatabases((open) => {
    let business: Business
    let processing: string
    let customer: string
    beforeEach(async () => {
      business = await Business.open(open)
      processing = await business.account()
      customer = await makeCustomer(business.core, processing)
    })
    afterEach(async () => {
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    const invoice = (more: JsonObject = {}): JsonObject => ({
      customer_id: customer,
      processing_id: processing,
      items: [{ entry_type: 'charge', amount: 5 }],
      ...more,
    })
    const make = async (more: JsonObject = {}) => await business.core.ok('POST', '/invoices', invoice(more))
    const numbers = async (query = '') =>
      valuesOf(
        await business.core.ok('GET', '/invoices', undefined, { query: `order_by=number${query}` }),
      ).map(({ number }) => number)

    it('have no gaps after refusals, rollbacks or dry runs', async () => {
      const refused = invoice({ items: [{ entry_type: 'charge', amount: -5 }] })
      expect((await make()).number).to.equal('INV-2030-000001')
      expect((await business.core.send('POST', '/invoices', refused)).status).to.equal(400)
      expect((await business.core.send('POST', '/invoices', invoice(), { dryRun: true })).status).to.equal(
        200,
      )
      const list = { object: 'list', values: [invoice(), refused] }
      expect((await business.core.send('POST', '/invoices', list)).status).to.equal(400)
      await business.core.ok('POST', '/invoices', { object: 'list', values: [invoice(), invoice()] })
      expect(await numbers()).to.deep.equal(['INV-2030-000001', 'INV-2030-000002', 'INV-2030-000003'])
    })

    it('are never reused: a deleted invoice keeps its own as void', async () => {
      await make()
      const last = await make()
      await business.core.ok('DELETE', `/invoices/${idOf(last)}`)
      expect((await make()).number).to.equal('INV-2030-000003')
      expect(await numbers()).to.deep.equal(['INV-2030-000001', 'INV-2030-000003'])
    })

    it('can be filtered, and are read-only', async () => {
      const made = await make()
      await make()
      expect(await numbers('&number=INV-2030-000002')).to.deep.equal(['INV-2030-000002'])
      const change = await business.core.send('PUT', `/invoices/${idOf(made)}`, { number: 'INV-2030-000009' })
      expect(change.body.details).to.deep.equal({ number: 'Read only' })
    })

    it("restart in each account and in each year of the organization's time zone", async () => {
      await make()
      business.at('2031-01-01 04:59:59')
      expect((await make()).number).to.equal('INV-2030-000002')
      business.at('2031-01-01 05:00:00')
      expect((await make()).number).to.equal('INV-2031-000001')
      expect((await make({ processing_id: await business.account() })).number).to.equal('INV-2031-000001')
    })

    it('have the prefix of the settings, and continue when it changes', async () => {
      await make()
      const account = await business.core.ok('GET', `/processing_accounts/${processing}`)
      const path = `/processing_settings/${idOf(objectOf(objectOf(account.processing).settings))}`
      await business.core.ok('PUT', path, { invoice_prefix: 'SHOP_1-A' })
      expect((await make()).number).to.equal('SHOP_1-A-2030-000002')
      for (const invoice_prefix of ['A B', 'Ä', 'inv_'])
        expect((await business.core.send('PUT', path, { invoice_prefix })).status).to.equal(400)
    })

    it('have neither gaps nor duplicates under simultaneous creations and refusals in several processes', async () => {
      const other = await business.another(open)
      const wrong = invoice({ items: [{ entry_type: 'charge', amount: -1 }] })
      const answers = await Promise.all(
        Array.from({ length: 48 }, (_, n) =>
          (n % 2 === 0 ? business.core : other).send('POST', '/invoices', n % 3 === 0 ? wrong : invoice()),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).to.have.length(32)
      expect(await numbers('&limit=100')).to.deep.equal(
        Array.from({ length: 32 }, (_, n) => `INV-2030-${String(n + 1).padStart(6, '0')}`),
      )
    })

    it('have no gaps if simultaneous lists name the same accounts in a different sequence', async () => {
      const other = await business.another(open)
      const second = await business.account()
      const list = [invoice(), invoice({ processing_id: second })]
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          (n < 4 ? business.core : other).send('POST', '/invoices', {
            object: 'list',
            values: n % 2 === 0 ? list : list.toReversed(),
          }),
        ),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200))
      for (const account of [processing, second])
        expect(await numbers(`&processing_id=${account}`)).to.deep.equal(
          Array.from({ length: 8 }, (_, n) => `INV-2030-00000${n + 1}`),
        )
    })

    it('are given once to the invoices of schedules that several processes bill', async () => {
      for (let n = 0; n < 6; n++)
        await business.core.ok('POST', '/billing_schedules', {
          customer_id: customer,
          processing_id: processing,
          recurring_frequency: 'daily',
          start_date: '2030-01-15',
          charges: [{ amount: 3 }],
        })
      business.at('2030-01-18 17:00:00')
      const other = await business.another(open)
      await Promise.all([business.core, other].map((core) => core.ok('POST', '/admin/billing/run', {})))
      const made = await numbers('&limit=100')
      expect(made).to.deep.equal(made.map((_, n) => `INV-2030-${String(n + 1).padStart(6, '0')}`))
      expect(made).to.have.length.above(17)
    })
  })
})
