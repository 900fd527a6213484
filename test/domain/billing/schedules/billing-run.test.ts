import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { openShop, type Shop } from '../invoices.js'
import {
  advance,
  dueDates,
  invoicesOf,
  jump,
  openBilling,
  plan,
  rowsOf,
  run,
  START,
  schedule,
} from './schedules.js'

describe('a billing run', () => {
  onDatabases((open) => {
    let shop: Shop
    beforeEach(async () => {
      shop = await openBilling(open)
      // Removes the default method, so that no customer is charged.
      await shop.core.ok('PUT', `/payment_methods/${shop.method}`, { default_payment_method: false })
    })

    it('creates one invoice per slot of a schedule, once', async () => {
      const { core } = shop
      const id = await schedule(shop, 'monthly', {
        description: 'Library',
        type: 'subscription',
        charges: [
          { amount: 20, qty: 2, description: 'Reading room', type: 'room' },
          { amount: 3.33, qty: 1.5, description: 'Copies' },
          { amount: -5, description: 'Discount' },
        ],
      })
      const answer = await run(core)
      expect(answer).to.deep.include({ count: 1, amount: 40, skipped: [], finished: true, payment_count: 0 })
      const [invoice] = await invoicesOf(core, id, '*,items')
      expect(invoice).to.include({
        billing_schedule_id: id,
        customer_id: shop.customer,
        processing_id: shop.processing,
        description: 'Library',
        type: 'subscription',
        due_date: '2026-11-21',
        status: 'pending',
        total_due: 40,
        amount_due: 40,
      })
      const items = listOf(invoice?.items).map(objectOf)
      expect(
        items.map(({ amount, qty, total, description, type, entry_type: entry }) => ({
          amount,
          qty,
          total,
          description,
          type,
          entry,
        })),
      ).to.deep.equal([
        { amount: 20, qty: 2, total: 40, description: 'Reading room', type: 'room', entry: 'charge' },
        { amount: 5, qty: 1, total: 5, description: 'Copies (1.5 × 3.33)', type: null, entry: 'charge' },
        { amount: -5, qty: 1, total: -5, description: 'Discount', type: null, entry: 'charge' },
      ])
      expect(await run(core)).to.include({ count: 0 })
      await core.ok('DELETE', `/invoices/${invoice?.id}`)
      expect(await run(core)).to.include({ count: 0 })
    })

    it('catches up missed slots, each with its own due date', async () => {
      const id = await schedule(shop, 'monthly', { start_date: '2026-08-31' })
      await jump(shop.core, '2027-03-01 12:00:00')
      expect(await run(shop.core)).to.include({ count: 4, amount: 80 })
      expect(await dueDates(shop.core, id)).to.deep.equal([
        '2026-11-30',
        '2026-12-31',
        '2027-01-31',
        '2027-02-28',
      ])
    })

    it('continues where it was interrupted', async () => {
      const id = await schedule(shop, 'daily')
      await jump(shop.core, '2026-11-30 12:00:00')
      // One unit of work makes an invoice, another checks whether it can be collected.
      expect(await run(shop.core, { units: 4 })).to.include({ finished: false, count: 2 })
      expect(await run(shop.core, { units: 100 })).to.include({ finished: true, count: 8 })
      expect(await dueDates(shop.core, id)).to.have.length(10)
    })

    it('completes in the smallest portions, even if payments are refused', async () => {
      const { core, customer, method } = shop
      await core.ok('PUT', `/payment_methods/${method}`, { default_payment_method: true })
      await core.ok('PUT', `/customers/${customer}`, { transaction_limit: 1 })
      for (let number = 0; number < 3; number++) await schedule(shop, 'annually')
      const parts = []
      do parts.push(await run(core, { units: 1 }))
      while (parts.at(-1)?.finished === false && parts.length < 20)
      expect(parts.at(-1)).to.include({ finished: true })
      expect(parts.reduce((count, { payment_count: more }) => count + Number(more), 0)).to.equal(3)
    })

    it('continues after the last billed slot when a schedule changes', async () => {
      const { core } = shop
      const id = await schedule(shop, 'monthly')
      await run(core)
      await core.ok('PUT', `/billing_schedules/${id}`, { end_date: '2027-06-30' })
      expect(await nextSlotOf(core, id)).to.equal('2026-12-21')
    })

    it('does exactly what its plan said, to the cent', async () => {
      await schedule(shop, 'weekly')
      await schedule(shop, 'bimonthly', { charges: [{ amount: 0.99, qty: 2.5 }] })
      await schedule(shop, 'daily', { end_date: '2026-11-23' })
      await jump(shop.core, '2026-12-15 12:00:00')
      const { invoices, ...planned } = await plan(shop.core)
      const { invoices: made, finished, ...done } = await run(shop.core)
      expect({ ...done, object: 'billing_plan' }).to.deep.equal(planned)
      const shown = (rows: unknown) => JSON.stringify(rows).replaceAll(/"invoice_id":(null|"[^"]*"),/g, '')
      const sorted = (rows: unknown) =>
        shown(rows)
          .slice(1, -1)
          .split('},')
          .map((row) => row.replace('}', ''))
          .sort()
      expect(sorted(made)).to.deep.equal(sorted(invoices))
      expect(planned).to.include({ count: 9 })
      expect(await plan(shop.core)).to.include({ count: 0, amount: 0 })
    })

    it('is only planned in a dry run', async () => {
      const id = await schedule(shop, 'weekly')
      const dryRun = { dryRun: true }
      expect(await shop.core.ok('POST', '/admin/billing/run', {}, dryRun)).to.include({
        count: 1,
        amount: 20,
      })
      expect(await dueDates(shop.core, id)).to.deep.equal([])
    })

    it('follows the calendar of the account', async () => {
      await schedule(shop, 'daily')
      await jump(shop.core, '2026-11-22 04:59:00')
      expect(await plan(shop.core)).to.include({ count: 1 })
      await jump(shop.core, '2026-11-22 05:00:00')
      expect(await plan(shop.core)).to.include({ count: 2 })
    })

    it('reports why it skips a schedule', async () => {
      const { core } = shop
      const id = await schedule(shop, 'weekly', { charges: [{ amount: 99_999_999 }, { amount: 99_999_999 }] })
      const stranger = await openShop(core, 'Stranger')
      const gone = await schedule(stranger, 'weekly', { recurring_frequency: null })
      await core.ok('DELETE', `/customers/${stranger.customer}`)
      await core.ok('PUT', `/billing_schedules/${gone}`, { recurring_frequency: 'weekly' })
      const answer = await run(core)
      expect(answer).to.include({ count: 0, skipped_count: 2 })
      expect(rowsOf(answer, 'skipped')).to.have.deep.members([
        { billing_schedule_id: id, slot: '2026-11-21', reason: 'Its charges exceed 99999999.99 together' },
        { billing_schedule_id: gone, slot: '2026-11-21', reason: 'Its customer is deleted' },
      ])
      expect(await run(core)).to.include({ count: 0, skipped_count: 0 })
    })

    it('of a schedule begins when its first charge is added', async () => {
      const id = await schedule(shop, 'daily', { charges: [] })
      await jump(shop.core, '2026-12-01 12:00:00')
      expect(await run(shop.core)).to.include({ count: 0 })
      await shop.core.ok('POST', `/billing_schedules/${id}/charges`, { amount: 1 })
      await shop.core.ok('POST', `/billing_schedules/${id}/charges`, { amount: 2 })
      expect(await run(shop.core)).to.include({ count: 1, amount: 3 })
      expect(await dueDates(shop.core, id)).to.deep.equal(['2026-12-01'])
    })

    it('of a schedule ends when its last charge is deleted, without reporting later days', async () => {
      const id = await schedule(shop, 'daily')
      expect(await run(shop.core)).to.include({ count: 1 })
      const [charge] = valuesOf(await shop.core.ok('GET', `/billing_schedules/${id}/charges`))
      await shop.core.ok('DELETE', `/billing_charges/${idOf(charge ?? {})}`)
      expect(await nextSlotOf(shop.core, id)).to.equal(null)
      const { done } = await advance(shop.core, '3d')
      expect(done).to.deep.equal([])
      expect(await run(shop.core)).to.include({ count: 0, skipped_count: 0 })
    })

    it('bills days before a schedule was created only on request', async () => {
      const id = await schedule(shop, 'monthly', { start_date: '2026-08-15' })
      expect(await run(shop.core)).to.include({ count: 0 })
      const backfill = (from: string) =>
        shop.core.ok('POST', '/admin/billing/backfill', { billing_schedule_id: id, from })
      expect(await backfill('2026-09-16')).to.include({ count: 2, amount: 40 })
      expect(await backfill('2020-01-01')).to.include({ count: 2 })
      expect(await backfill('2020-01-01')).to.include({ count: 0 })
      await advance(shop.core, '1mo')
      expect(await dueDates(shop.core, id)).to.deep.equal([
        '2026-08-15',
        '2026-09-15',
        '2026-10-15',
        '2026-11-15',
        '2026-12-15',
      ])
      const refused = await shop.core.send('POST', '/admin/billing/backfill', {
        billing_schedule_id: 'bscd_x',
        from: '2026-01-01',
      })
      expect(refused.body.details).to.deep.equal({ billing_schedule_id: 'Not found' })
    })

    it('bills missed slots by the terms of that time, even if the schedule has changed since', async () => {
      const id = await schedule(shop, 'daily')
      const path = `/billing_schedules/${id}`
      await jump(shop.core, '2026-11-24 12:00:00')
      await shop.core.ok('PUT', path, { recurring_frequency: 'monthly', monthly: { billing_day: 30 } })
      expect(await dueDates(shop.core, id)).to.deep.equal(['2026-11-21', '2026-11-22', '2026-11-23'])
      await jump(shop.core, '2026-12-31 12:00:00')
      const charges = valuesOf(await shop.core.ok('GET', `${path}/charges`))
      for (const charge of charges)
        await shop.core.ok('PUT', `/billing_charges/${idOf(charge)}`, { amount: 30 })
      await jump(shop.core, '2027-01-31 12:00:00')
      await run(shop.core)
      expect(
        (await invoicesOf(shop.core, id)).map(({ due_date, total_due }) => [due_date, total_due]),
      ).to.deep.equal([
        ['2026-11-21', 20],
        ['2026-11-22', 20],
        ['2026-11-23', 20],
        ['2026-11-30', 20],
        ['2026-12-30', 20],
        ['2027-01-30', 30],
      ])
    })

    it('keeps missed slots when existing invoices are sent back unchanged', async () => {
      const id = await schedule(shop, 'daily')
      await run(shop.core)
      const path = `/billing_schedules/${id}`
      await jump(shop.core, '2026-11-24 12:00:00')
      const whole = await shop.core.ok('GET', path, undefined, { query: 'fields=*,invoices' })
      await shop.core.ok('PUT', path, { ...whole, description: 'other' })
      expect(await dueDates(shop.core, id)).to.deep.equal(['2026-11-21', '2026-11-22', '2026-11-23'])
    })

    it('ends on the last day of a schedule, which is billed', async () => {
      const id = await schedule(shop, 'weekly', { end_date: '2026-12-05' })
      await advance(shop.core, '2mo')
      expect(await dueDates(shop.core, id)).to.deep.equal(['2026-11-21', '2026-11-28', '2026-12-05'])
    })

    it('makes invoices that cannot be moved to another schedule', async () => {
      const id = await schedule(shop, 'weekly')
      // A schedule with an invoice on the same day.
      const other = await schedule(shop, 'weekly')
      await run(shop.core)
      const [invoice] = await invoicesOf(shop.core, id, 'id')
      const changes: JsonObject[] = [
        { billing_schedule_id: null },
        { billing_schedule: null },
        { billing_schedule_id: other },
        { billing_schedule: { id: other } },
      ]
      for (const change of changes) {
        const answer = await shop.core.send('PUT', `/invoices/${invoice?.id}`, change)
        expect(answer.body.details).to.deep.equal({
          billing_schedule_id: 'Cannot be changed: the schedule made it',
        })
      }
      await shop.core.ok('PUT', `/invoices/${invoice?.id}`, {
        billing_schedule: { id, type: 'library' },
        description: 'Reading room',
      })
    })

    it('starts automatically, also when the clock is advanced', async () => {
      const id = await schedule(shop, 'monthly')
      const done = rowsOf(await advance(shop.core, '2mo'), 'done').filter(({ job }) => job === 'billing')
      expect(done.map(({ at, count }) => [at, count])).to.deep.equal([
        ['2026-11-21 05:00:00', 1],
        ['2026-12-21 05:00:00', 1],
        ['2027-01-21 05:00:00', 1],
      ])
      const later = await openCore(open, {
        ...shop.core.place,
        clock: { now: () => START + 31 * 86_400_000 },
      })
      await (await later.app.environment('test')).runDueJobs()
      expect(await dueDates(later, id)).to.deep.equal([
        '2026-11-21',
        '2026-12-21',
        '2027-01-21',
        '2027-02-21',
      ])
    })
  })
})

/** The stored next slot of a schedule. */
async function nextSlotOf(core: TestCore, id: string): Promise<string | null> {
  const { write } = core.environment.core
  const row = await write(({ tx }) =>
    tx.db.selectFrom('billing_schedules').select('next_slot').where('id', '=', id).executeTakeFirstOrThrow(),
  )
  return row.next_slot
}
