import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeProcessing } from '../../../support/examples.js'
import type { Shop } from '../invoices.js'
import {
  advance,
  invoicesOf,
  jump,
  openBilling,
  paymentsOf,
  plan,
  run,
  schedule,
} from '../schedules/schedules.js'

const POOR = '4111111111119904'

describe('an open invoice', () => {
  onDatabases((open) => {
    let shop: Shop
    let core: TestCore
    beforeEach(async () => {
      shop = await openBilling(open)
      core = shop.core
    })
    afterEach(async () => expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([]))

    const paysBy = async (number: string) =>
      idOf(
        await core.ok('POST', '/payment_methods', {
          ...card(number),
          account_id: shop.customer,
          default_payment_method: true,
        }),
      )
    const count = async () => (await paymentsOf(shop, 'id')).length
    /** A schedule whose first invoice was declined once. */
    const declined = async () => {
      await paysBy(POOR)
      const id = await schedule(shop, 'annually')
      await run(core)
      const [invoice = {}] = await invoicesOf(core, id, 'id')
      return { id, invoice: idOf(invoice) }
    }
    const act = (invoice: string, action: string) => core.send('POST', `/invoices/${invoice}/${action}`)
    const collectOn = async (invoice: string) =>
      (await core.ok('GET', `/invoices/${invoice}`, undefined, { query: 'fields=collect_on' })).collect_on

    it('keeps its next attempt when moved to another account, and gets a new next attempt with a later due date', async () => {
      const { invoice } = await declined()
      const change = async (body: JsonObject) => {
        await core.ok('PUT', `/invoices/${invoice}`, body)
        return await collectOn(invoice)
      }
      expect(await change({ processing_id: await makeProcessing(core, 'Elsewhere') })).to.equal('2026-11-22')
      expect(await change({ due_date: '2026-12-05' })).to.equal('2026-12-05')
    })

    it('of a deleted schedule is not collected automatically', async () => {
      const { id, invoice } = await declined()
      expect(await collectOn(invoice)).to.equal('2026-11-22')
      await core.ok('DELETE', `/billing_schedules/${id}`)
      expect(await collectOn(invoice)).to.equal(null)
      await paysBy('4242424242424242')
      await advance(core, '9d')
      expect(await count()).to.equal(1)
      const refused = await act(invoice, 'resume_collecting')
      expect(refused.body.details).to.have.all.keys('billing_schedule_id')
      expect((await act(invoice, 'collect')).body).to.include({ status: 'processed', amount: 20 })
    })

    it('for a missed day of a schedule that was deleted since is not collected automatically', async () => {
      const id = await schedule(shop, 'daily')
      await jump(core, '2026-11-25 12:00:00')
      await core.ok('DELETE', `/billing_schedules/${id}`)
      expect(await run(core)).to.include({ payment_count: 0 })
    })

    it('of a schedule that has ended, or has no charges, is not collected automatically', async () => {
      for (const end of [
        (id: string) => core.ok('PUT', `/billing_schedules/${id}`, { end_date: '2026-11-21' }),
        (id: string) => core.ok('PUT', `/billing_schedules/${id}`, { recurring_frequency: null }),
        async (id: string) => {
          const [charge = {}] = valuesOf(await core.ok('GET', `/billing_schedules/${id}/charges`))
          await core.ok('DELETE', `/billing_charges/${idOf(charge)}`)
        },
      ]) {
        shop = await openBilling(open)
        core = shop.core
        const { id } = await declined()
        await end(id)
        await advance(core, '1d')
        expect(await plan(core)).to.include({ payment_count: 0 })
        await advance(core, '8d')
        expect(await count()).to.equal(1)
      }
    })

    it('created by a backfill is collected only on request', async () => {
      const id = await schedule(shop, 'monthly', { start_date: '2026-08-15' })
      const backfill = (more: object, options?: object) =>
        core.ok('POST', '/admin/billing/backfill', { billing_schedule_id: id, ...more }, options)
      const quiet = await backfill({ from: '2026-11-01' })
      expect(quiet).to.include({ count: 1, payment_count: 0, payment_amount: 0 })
      const dryRun = { dryRun: true }
      const said = { count: 3, amount: 60, payment_count: 3, payment_amount: 60 }
      expect(await backfill({ from: '2026-08-01', collect: true }, dryRun)).to.include(said)
      expect(await backfill({ from: '2026-08-01' }, dryRun)).to.include({ count: 3, payment_count: 0 })
      await advance(core, '2d')
      expect(await count()).to.equal(0)
      expect(await backfill({ from: '2026-08-01', collect: true })).to.include(said)
      await run(core)
      const statuses = (await invoicesOf(core, id, 'due_date,status')).map((one) =>
        Object.values(one).join(' '),
      )
      expect(statuses).to.have.members([
        '2026-08-15 paid',
        '2026-09-15 paid',
        '2026-10-15 paid',
        '2026-11-15 overdue',
      ])
    })

    it('created by a backfill with charges of zero is not collected or reported as paid', async () => {
      const charges = [{ amount: 7 }, { amount: -7 }]
      const id = await schedule(shop, 'monthly', { start_date: '2026-10-15', charges })
      const body = { billing_schedule_id: id, from: '2026-10-01', collect: true }
      const filled = await core.ok('POST', '/admin/billing/backfill', body)
      expect(filled).to.include({ count: 2, amount: 0, payment_count: 0 })
    })

    it('is not created by a backfill for a day that the schedule bills anyway', async () => {
      const id = await schedule(shop, 'weekly', { start_date: '2026-11-14' })
      const answer = await core.ok('POST', '/admin/billing/backfill', {
        billing_schedule_id: id,
        from: '2026-11-01',
      })
      expect(answer).to.include({ count: 1, skipped_count: 1 })
      expect(await run(core)).to.include({ count: 1, payment_count: 1 })
      expect(await invoicesOf(core, id, 'due_date,status')).to.deep.equal([
        { due_date: '2026-11-14', status: 'overdue' },
        { due_date: '2026-11-21', status: 'paid' },
      ])
    })

    it('can be collected at once by a person, in addition to the daily attempt', async () => {
      const { invoice } = await declined()
      const again = await act(invoice, 'collect')
      expect(again.status).to.equal(400)
      expect(again.body).to.include({ error_type: 'TransactionDeclined' })
      await act(invoice, 'collect')
      expect(await count()).to.equal(3)
      await advance(core, '2d')
      expect(await count(), 'the days go on').to.equal(5)
      await paysBy('4242424242424242')
      const paid = await act(invoice, 'collect')
      expect(paid.body).to.include({ object: 'transaction', status: 'processed', amount: 20 })
      expect(await core.ok('GET', `/invoices/${invoice}`)).to.include({ status: 'paid' })
      expect((await act(invoice, 'collect')).body.details).to.deep.equal({ amount: 'Nothing is due' })
      await advance(core, '9d')
      expect(await count()).to.equal(6)
    })

    it('without a schedule can be collected at once, too', async () => {
      const items = [{ entry_type: 'charge', amount: 5 }]
      const invoice = idOf(await core.ok('POST', '/invoices', { customer_id: shop.customer, items }))
      expect((await act(invoice, 'collect')).body).to.include({ status: 'processed', amount: 5 })
      expect((await act(invoice, 'resume_collecting')).body.details).to.have.all.keys('billing_schedule_id')
    })

    it('is not collected with a method that cannot be charged, or beside an open payment', async () => {
      await paysBy('4111111111119906')
      const id = await schedule(shop, 'annually')
      await run(core)
      const [invoice = {}] = await invoicesOf(core, id, 'id')
      expect((await act(idOf(invoice), 'collect')).body.details).to.deep.equal({
        payment_method:
          'Visa ending in 9906, 12/39 is not charged again before it changes: The card number is not right',
      })
      const method = await paysBy('4242424242424242')
      await core.ok('POST', '/transactions', {
        type: 'payment',
        status: 'authorized',
        amount: 20,
        allocations: [{ invoice_id: idOf(invoice) }],
      })
      expect((await act(idOf(invoice), 'collect')).status).to.equal(409)
      await core.ok('PUT', `/payment_methods/${method}`, { default_payment_method: false })
    })

    it('can be stopped, and resumed for five more days, by a person', async () => {
      const { invoice } = await declined()
      await act(invoice, 'stop_collecting')
      expect(await collectOn(invoice)).to.equal(null)
      await advance(core, '9d')
      expect(await count()).to.equal(1)
      await act(invoice, 'resume_collecting')
      expect(await collectOn(invoice)).to.equal('2026-11-30')
      await advance(core, '9d')
      expect(await count()).to.equal(7)
      await act(invoice, 'resume_collecting')
      await paysBy('4242424242424242')
      await advance(core, '1d')
      expect(await core.ok('GET', `/invoices/${invoice}`)).to.include({ status: 'paid' })
    })

    it('is stopped and resumed only with a key that may change invoices', async () => {
      const { invoice } = await declined()
      const principal = { kind: 'key', id: 'key_1', manage: false, grants: { invoices: ['POST'] } } as const
      for (const action of ['stop_collecting', 'resume_collecting']) {
        const path = `/invoices/${invoice}/${action}`
        const answer = await core.environment.core.handle({ method: 'POST', path, body: {}, principal })
        expect(answer.status, action).to.equal(403)
      }
    })

    it('that was refunded is collected again only after a person resumes it', async () => {
      const id = await schedule(shop, 'annually')
      await run(core)
      const [invoice = {}] = await invoicesOf(core, id, 'id')
      const [payment = {}] = await paymentsOf(shop, 'id')
      await core.ok('POST', '/transactions', {
        type: 'refund',
        amount: 20,
        ledger: [{ assoc_transaction_id: idOf(payment) }],
      })
      await advance(core, '3d')
      expect(await count()).to.equal(1)
      await act(idOf(invoice), 'resume_collecting')
      await advance(core, '1d')
      expect(await core.ok('GET', `/invoices/${idOf(invoice)}`)).to.include({ status: 'paid' })
    })

    it('waits for a gateway without an answer, also when a person collects it', async () => {
      const gateway = remoteSimulator()
      shop = await openBilling(open, { gateway })
      core = shop.core
      await core.ok('PUT', `/payment_methods/${shop.method}`, { default_payment_method: false })
      const id = await schedule(shop, 'annually')
      await run(core)
      await core.ok('PUT', `/payment_methods/${shop.method}`, { default_payment_method: true })
      const [invoice = {}] = await invoicesOf(core, id, 'id')
      gateway.script('times_out_after')
      expect((await act(idOf(invoice), 'collect')).body).to.include({ status: 'processing' })
      await advance(core, '2d')
      expect(await count()).to.equal(1)
      await core.environment.reconcile(-86_400_000)
      expect(await core.ok('GET', `/invoices/${idOf(invoice)}`)).to.include({ status: 'paid' })
    })
  })
})
