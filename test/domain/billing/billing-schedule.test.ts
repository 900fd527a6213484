import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { openShop, type Shop } from './invoices.js'

describe('billing schedules', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      // The date in New York is still the 9th.
      core = await openCore(open, { clock: { now: () => Date.parse('2030-03-10T03:00:00Z') } })
      shop = await openShop(core)
    })

    const parties = () => ({ customer_id: shop.customer, processing_id: shop.processing })
    const make = (body: JsonObject) => core.ok('POST', '/billing_schedules', { ...parties(), ...body })
    const change = (schedule: JsonObject, body: JsonObject) =>
      core.send('PUT', `/billing_schedules/${idOf(schedule)}`, body)
    const chargesOf = (schedule: JsonObject) => listOf(schedule.charges).map(objectOf)

    it('are sent with their charges, each with its total', async () => {
      const schedule = await make({
        recurring_frequency: 'monthly',
        type: 'subscription',
        charges: [
          { type: 'option_1', amount: 5 },
          { amount: 0.99, qty: 2.5, description: 'Two and a half' },
          { amount: -0.01, qty: 0.5 },
        ],
      })
      expect(chargesOf(schedule).map(({ amount, qty, total }) => [amount, qty, total])).to.deep.equal([
        [5, 1, 5],
        [0.99, 2.5, 2.48],
        [-0.01, 0.5, -0.01],
      ])
    })

    it("start today in the organization's time zone by default", async () => {
      expect(await make({})).to.include({
        start_date: '2030-03-09',
        end_date: null,
        recurring_frequency: null,
      })
      expect(await make({ start_date: '2019-01-01' })).to.include({ start_date: '2019-01-01' })
    })

    it('cannot end before they start', async () => {
      const details = { end_date: 'Must not be before start_date' }
      const early = { ...parties(), start_date: '2030-02-02', end_date: '2030-02-01' }
      expect((await core.send('POST', '/billing_schedules', early)).body.details).to.deep.equal(details)
      const schedule = await make({ start_date: '2030-02-02', end_date: '2030-02-02' })
      expect((await change(schedule, { start_date: '2030-02-03' })).body.details).to.deep.equal(details)
      expect((await change(schedule, { start_date: null })).body.details).to.deep.equal({
        start_date: 'Required',
      })
      expect((await change(schedule, { start_date: '2030-02-03', end_date: null })).body).to.include({
        start_date: '2030-02-03',
        end_date: null,
      })
    })

    it('accept only the days of their own frequency', async () => {
      const wrong: [JsonObject, JsonObject][] = [
        [{ monthly: { billing_day: 5 } }, { monthly: 'Only with recurring_frequency monthly' }],
        [
          { recurring_frequency: 'weekly', annually: { billing_day: 5, billing_month: 1 } },
          { annually: 'Only with recurring_frequency annually' },
        ],
        [
          {
            recurring_frequency: 'monthly',
            quarterly: { q1: { billing_day: 5, billing_month: 1 } },
            bimonthly: { first_billing_day: 1, second_billing_day: 2 },
          },
          {
            quarterly: 'Only with recurring_frequency quarterly',
            bimonthly: 'Only with recurring_frequency bimonthly',
          },
        ],
        [
          { recurring_frequency: 'quarterly', quarterly: { q2: { billing_day: 5, billing_month: 3 } } },
          { quarterly: { q2: { billing_month: 'Must be at least 4' } } },
        ],
        [
          { recurring_frequency: 'monthly', monthly: { billing_day: 32 } },
          { monthly: { billing_day: 'Must be at most 31' } },
        ],
        [
          { recurring_frequency: 'bimonthly', bimonthly: { first_billing_day: 1 } },
          { bimonthly: { second_billing_day: 'Required' } },
        ],
      ]
      for (const [body, details] of wrong) {
        const answer = await core.send('POST', '/billing_schedules', { ...parties(), ...body })
        expect(answer.body.details, JSON.stringify(body)).to.deep.equal(details)
      }
    })

    it('clear the days of their previous frequency', async () => {
      const schedule = await make({ recurring_frequency: 'monthly', monthly: { billing_day: 31 } })
      expect((await change(schedule, { description: 'kept' })).body).to.deep.include({
        monthly: { billing_day: 31 },
      })
      const quarterly = { q1: { billing_day: 5, billing_month: 1 } }
      const changed = await change(schedule, { recurring_frequency: 'quarterly', quarterly })
      expect(changed.body).to.deep.include({ recurring_frequency: 'quarterly', monthly: null })
      expect(changed.body).to.have.nested.include({ 'quarterly.q1.billing_day': 5 })
      expect((await change(schedule, { recurring_frequency: 'daily' })).body).to.deep.include({
        monthly: null,
        quarterly: null,
      })
      expect((await change(schedule, { monthly: { billing_day: 1 } })).body.details).to.deep.equal({
        monthly: 'Only with recurring_frequency monthly',
      })
    })

    it('update the totals of their charges when the charges change', async () => {
      const schedule = await make({ charges: { amount: 5 } })
      const [charge] = chargesOf(schedule)
      const path = `/billing_charges/${charge?.id}`
      expect(await core.ok('PUT', path, { qty: 3 })).to.include({ amount: 5, qty: 3, total: 15 })
      expect(await core.ok('PUT', path, { amount: 2.5 })).to.include({ qty: 3, total: 7.5 })
      expect(await core.ok('PUT', path, { qty: null })).to.include({ qty: 1, total: 2.5 })
      expect(await core.ok('PUT', path, { amount: 99_999_999.99 })).to.include({ total: 99_999_999.99 })
      expect((await core.send('PUT', path, { amount: 99_999_999, qty: 2 })).body.details).to.deep.equal({
        amount: 'Times qty must be at most 99999999.99',
      })
      expect((await core.send('PUT', path, { total: 1 })).body.details).to.deep.equal({ total: 'Read only' })
      await core.ok('POST', `/billing_schedules/${schedule.id}/charges`, { amount: 1, qty: 2 })
      const charges: JsonObject[] = [{ id: idOf(charge ?? {}), amount: 4 }, { amount: 1 }]
      expect(chargesOf((await change(schedule, { charges })).body).map(({ total }) => total)).to.deep.equal([
        4, 1,
      ])
    })

    it('are deleted with their charges, and leave their invoices', async () => {
      const schedule = await make({ charges: [{ amount: 5 }, { amount: 6 }] })
      const invoice = await core.ok('POST', `/billing_schedules/${schedule.id}/invoices`, {
        customer_id: shop.customer,
      })
      await core.ok('DELETE', `/billing_schedules/${schedule.id}`)
      expect((await core.send('GET', `/billing_schedules/${schedule.id}`)).status).to.equal(404)
      const query = `billing_schedule_id=${schedule.id}`
      expect(valuesOf(await core.ok('GET', '/billing_charges', undefined, { query }))).to.deep.equal([])
      expect(valuesOf(await core.ok('GET', '/invoices', undefined, { query })).map(idOf)).to.deep.equal([
        invoice.id,
      ])
    })
  })
})
