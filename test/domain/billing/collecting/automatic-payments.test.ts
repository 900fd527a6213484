import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, makeProcessing } from '../../../support/examples.js'
import { gate } from '../../../support/gate.js'
import { eventsOf } from '../../payments/books.js'
import { openShop, type Shop } from '../invoices.js'
import {
  advance,
  invoicesOf,
  jump,
  openBilling,
  paymentsOf,
  plan,
  rowsOf,
  run,
  START,
  schedule,
} from '../schedules/schedules.js'

const DAY = 86_400_000

describe('automatic payments', () => {
  onDatabases((open) => {
    let shop: Shop
    let core: TestCore
    beforeEach(async () => {
      shop = await openBilling(open)
      core = shop.core
    })

    /** Saves a card as the customer's default. */
    const paysBy = async (number: string) =>
      idOf(
        await core.ok('POST', '/payment_methods', {
          ...card(number),
          account_id: shop.customer,
          default_payment_method: true,
        }),
      )
    const attempts = (fields = 'status') => paymentsOf(shop, fields)
    const days = async () =>
      (await attempts('created_at')).map(({ created_at: at }) => String(at).slice(0, 10))

    it('pay invoices of schedules on their due date', async () => {
      const id = await schedule(shop, 'monthly')
      await advance(core, '2mo')
      expect(await invoicesOf(core, id)).to.deep.equal(
        ['2026-11-21', '2026-12-21', '2027-01-21'].map((date) => ({
          due_date: date,
          total_due: 20,
          status: 'paid',
        })),
      )
      expect(await days()).to.deep.equal(['2026-11-21', '2026-12-21', '2027-01-21'])
      const [payment] = await attempts('id,amount,payment_method_id,processing_id')
      expect(payment).to.include({
        amount: 20,
        payment_method_id: shop.method,
        processing_id: shop.processing,
      })
      expect((await eventsOf(core, idOf(payment ?? {}))).slice(0, 3)).to.deep.equal([
        'automatic_payment processed',
        'payment processed',
        'processed processed',
      ])
    })

    it('are retried each day for five days, then no more', async () => {
      const id = await schedule(shop, 'annually')
      await paysBy('4111111111119904')
      await advance(core, '2mo')
      expect(await attempts('status,status_code')).to.deep.equal(
        Array<JsonObject>(6).fill({ status: 'declined', status_code: 'insufficient_bal' }),
      )
      expect(await days()).to.deep.equal([
        '2026-11-21',
        '2026-11-22',
        '2026-11-23',
        '2026-11-24',
        '2026-11-25',
        '2026-11-26',
      ])
      expect(await invoicesOf(core, id, 'status,amount_due')).to.deep.equal([
        { status: 'overdue', amount_due: 20 },
      ])
    })

    it('succeed if the customer adds another method in time', async () => {
      const id = await schedule(shop, 'annually')
      await paysBy('4111111111119904')
      await advance(core, '2d')
      await paysBy('4242424242424242')
      await advance(core, '1mo')
      expect((await attempts()).map(({ status }) => status)).to.deep.equal([
        'declined',
        'declined',
        'declined',
        'processed',
      ])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('are made in the sequence of their due times, not of the age of their invoices', async () => {
      await schedule(shop, 'annually')
      await paysBy('4111111111119904')
      await advance(core, '1h')
      const far = await openShop(core, 'Auckland')
      const parent_org_id = idOf(
        await core.ok('POST', '/orgs', {
          name: 'Auckland',
          industry: 'books',
          org_type: 'merchant',
          timezone: 'Pacific/Auckland',
        }),
      )
      await core.ok('PUT', `/processing_accounts/${far.processing}`, { parent_org_id })
      await schedule(far, 'annually', { start_date: '2026-11-23' })
      const paidAt = rowsOf(await advance(core, '1d'), 'done')
        .filter(({ job }) => job === 'automatic_payments')
        .map(({ at }) => at)
      expect(paidAt).to.deep.equal(['2026-11-22 05:00:00', '2026-11-22 11:00:00'])
    })

    it('stop at once if retries are useless', async () => {
      await schedule(shop, 'annually')
      await paysBy('4111111111119900')
      await advance(core, '1mo')
      expect(await attempts('status_code')).to.deep.equal([{ status_code: 'card_expired' }])
    })

    it('skip what was paid by hand, and charge only the rest', async () => {
      const id = await schedule(shop, 'monthly', { start_date: '2026-12-01' })
      await paysBy('4111111111119904')
      await advance(core, '11d')
      const [invoice] = await invoicesOf(core, id, 'id')
      const by = (amount: number) => ({ entry_type: 'payment', amount, invoice_id: idOf(invoice ?? {}) })
      await core.ok('POST', '/line_items', by(15))
      await paysBy('4242424242424242')
      await advance(core, '1d')
      expect((await attempts('amount,status')).at(-1)).to.deep.equal({ amount: 5, status: 'processed' })
      await advance(core, '27d')
      await paysBy('4111111111119904')
      await advance(core, '2d')
      const next = (await invoicesOf(core, id, 'id')).at(-1)
      await core.ok('POST', '/line_items', { ...by(20), invoice_id: idOf(next ?? {}) })
      const before = await attempts()
      await advance(core, '10d')
      expect(await attempts()).to.deep.equal(before)
    })

    it('are not made for other invoices, or without a saved default method', async () => {
      const items = [{ entry_type: 'charge', amount: 5 }]
      await core.ok('POST', '/invoices', { customer_id: shop.customer, due_date: '2026-11-22', items })
      await schedule(shop, 'annually')
      await core.ok('PUT', `/payment_methods/${shop.method}`, { keep_active: false })
      await advance(core, '3d')
      expect(await attempts()).to.deep.equal([])
      await paysBy('4242424242424242')
      await advance(core, '1d')
      expect(await attempts('amount')).to.deep.equal([{ amount: 20 }])
    })

    it('that are refused before they reach the gateway are retried, too', async () => {
      const id = await schedule(shop, 'annually')
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { transaction_limit: 10 })
      const answer = await run(core)
      expect(answer).to.include({ payment_count: 1, payment_amount: 20 })
      const [refused] = rowsOf(answer, 'payments')
      expect(refused).to.include({
        outcome: 'refused',
        reason: 'amount: Exceeds the transaction limit of 10.00',
      })
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { transaction_limit: 100 })
      await advance(core, '1d')
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('do not charge again what a refund returned', async () => {
      const id = await schedule(shop, 'annually')
      await run(core)
      const [payment] = await attempts('id')
      await core.ok('POST', '/transactions', {
        type: 'refund',
        amount: 5,
        ledger: [{ assoc_transaction_id: idOf(payment ?? {}) }],
      })
      await advance(core, '10d')
      expect(await attempts()).to.have.length(1)
      expect(await invoicesOf(core, id, 'amount_due,status')).to.deep.equal([
        { amount_due: 5, status: 'overdue' },
      ])
    })

    it('are planned with their exact amount', async () => {
      await schedule(shop, 'weekly')
      await schedule(shop, 'monthly', { charges: [{ amount: 7 }] })
      await jump(core, '2026-12-24 12:00:00')
      const planned = await plan(core)
      expect(planned).to.include({ count: 7, amount: 114, payment_count: 7, payment_amount: 114 })
      expect(await run(core)).to.include({ count: 7, amount: 114, payment_count: 7, payment_amount: 114 })
      expect(await plan(core)).to.include({ count: 0, payment_count: 0 })
    })

    it('are neither planned nor made if the amount due is zero', async () => {
      const id = await schedule(shop, 'annually', { charges: [{ amount: 7 }, { amount: -7 }] })
      expect(await plan(core)).to.include({ count: 1, amount: 0, payment_count: 0 })
      expect(await run(core)).to.include({ count: 1, amount: 0, payment_count: 0 })
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('without an outcome block the next attempt, and are reconciled', async () => {
      const gateway = remoteSimulator()
      shop = await openBilling(open, { gateway })
      core = shop.core
      const id = await schedule(shop, 'annually')
      gateway.script('times_out_after')
      await run(core)
      await advance(core, '3d')
      expect(await attempts()).to.deep.equal([{ status: 'processing' }])
      await core.environment.reconcile(-DAY)
      await advance(core, '3d')
      expect(await attempts()).to.deep.equal([{ status: 'processed' }])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
      expect(gateway.performed).to.have.length(1)
    })

    it('that never reached the gateway are retried once that is known', async () => {
      const gateway = remoteSimulator()
      shop = await openBilling(open, { gateway })
      core = shop.core
      const id = await schedule(shop, 'annually')
      gateway.script('fails_before')
      await run(core)
      expect(await attempts()).to.deep.equal([{ status: 'processing' }])
      await core.environment.reconcile(-DAY)
      await advance(core, '1d')
      expect(await attempts('status,status_code')).to.deep.equal([
        { status: 'declined', status_code: 'never_sent' },
        { status: 'processed', status_code: 'approved' },
      ])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('are made once, even if several processes try at the same time', async () => {
      for (let n = 1; n <= 8; n++) await schedule(shop, 'daily', { charges: [{ amount: n }] })
      const clock = { now: () => START + 2 * DAY }
      const others = []
      for (let n = 0; n < 3; n++) others.push(await openCore(open, { ...core.place, clock }))
      await Promise.all(others.map(({ environment }) => environment.runDueJobs()))
      const amounts = (await attempts('amount')).map(({ amount }) => Number(amount)).sort((a, b) => a - b)
      expect(amounts).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8].flatMap((n) => [n, n, n]))
    })

    it('by a gateway that hangs wait for it without delaying links, deposits and bills', async () => {
      const gateway = remoteSimulator()
      const held = gate<void>()
      const perform: typeof gateway.perform = async (operation) => {
        await held.enter()
        return await gateway.perform(operation)
      }
      shop = await openBilling(open, { gateway: { ...gateway, perform } })
      core = shop.core
      const id = await schedule(shop, 'annually')
      const link = await core.ok('POST', '/payment_links', {
        amount: 5,
        description: 'A book',
        processing_id: shop.processing,
        type: 'one_time',
        expires_at: '2026-11-22 12:00:00',
      })
      await jump(core, '2026-11-23 12:00:00')
      const running = core.environment.runDueJobs()
      await held.entered
      const later = await schedule(shop, 'annually', { start_date: '2026-11-24' })
      await jump(core, '2026-11-24 12:00:00')
      await core.environment.runOwnJobs()
      expect(await core.ok('GET', `/payment_links/${idOf(link)}`)).to.include({ status: 'expired' })
      expect(await invoicesOf(core, later, 'amount_due')).to.deep.equal([{ amount_due: 20 }])
      expect(await attempts()).to.deep.equal([{ status: 'processing' }])
      held.open()
      await running
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('by a gateway that is paused wait for it without delaying others', async () => {
      const reported: unknown[] = []
      const report = (error: unknown) => reported.push(error)
      shop = await openBilling(open, { report, gatewayLoopback: true })
      core = shop.core
      const gateway = { name: 'up', kind: 'peer', base_url: 'http://127.0.0.1:9' }
      const credentials = { secret_key: 'test_secret_key' }
      const gatewayId = idOf(await core.ok('POST', '/admin/gateways', { ...gateway, credentials }))
      await core.ok('POST', `/admin/gateways/${gatewayId}/pause`)
      const other = await makeProcessing(core, 'Paused Books')
      const route = { default: 'up', processing_id: other }
      await core.ok('PUT', '/admin/gateway_routes', route)
      const waiting = await schedule({ ...shop, processing: other }, 'annually')
      const paid = await schedule(shop, 'annually')
      const later = await schedule(shop, 'annually', { start_date: '2026-11-22' })
      await jump(core, '2026-11-22 12:00:00')
      const statuses = async () => {
        const all = []
        for (const id of [waiting, paid, later]) all.push(...(await invoicesOf(core, id, 'status')))
        return all.map(({ status }) => status)
      }
      await core.environment.runDueJobs()
      expect(await statuses()).to.deep.equal(['overdue', 'paid', 'paid'])
      expect(reported.map((error) => error instanceof Error && String(error.cause))).to.deep.equal([
        'ApiError: ServiceUnavailable: The gateway up is paused: payctl gateways resume up',
      ])
      await core.ok('PUT', '/admin/gateway_routes', { ...route, default: null })
      await run(core)
      expect(await statuses()).to.deep.equal(['paid', 'paid', 'paid'])
    })
  })
})
