import { expect } from 'chai'
import { remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import { idOf, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { bankAccount, card } from '../../../support/examples.js'
import type { Shop } from '../invoices.js'
import { advance, invoicesOf, openBilling, paymentsOf, plan, run, schedule } from '../schedules/schedules.js'

const LOST = { result: 'declined', statusCode: 'card_lost', isHard: true } as const

describe('a payment method that its rail declines permanently', () => {
  onDatabases((open) => {
    let shop: Shop
    let core: TestCore
    const opened = async (options: Parameters<typeof openBilling>[1] = {}) => {
      shop = await openBilling(open, options)
      core = shop.core
    }
    beforeEach(async () => await opened())
    afterEach(async () => expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([]))

    /** Saves a method as the customer's default. */
    const paysBy = async (method: object) =>
      idOf(
        await core.ok('POST', '/payment_methods', {
          ...method,
          account_id: shop.customer,
          default_payment_method: true,
        }),
      )
    const statuses = async () =>
      (await paymentsOf(shop, 'status,status_code')).map(({ status_code: code }) => code)

    for (const code of ['00', '05', '06', '07', '08'])
      it(`is not charged again for any invoice: test card 99${code}`, async () => {
        await paysBy(card(`41111111111199${code}`))
        await schedule(shop, 'annually')
        await run(core)
        await schedule(shop, 'annually', { charges: [{ amount: 7 }] })
        expect(await plan(core)).to.include({ count: 1, payment_count: 0 })
        await advance(core, '9d')
        expect(await statuses()).to.have.length(1)
      })

    it('is replaced by another default, which the next daily attempt charges', async () => {
      await paysBy(card('4111111111119908'))
      const id = await schedule(shop, 'annually')
      await run(core)
      await advance(core, '2d')
      await paysBy(card('5555555555554444'))
      await advance(core, '1d')
      expect(await statuses()).to.deep.equal(['suspicious_activity', 'approved'])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('is charged again after its expiry or address changes, but not after an update without a change', async () => {
      const method = await paysBy(card('4111111111119900'))
      await schedule(shop, 'annually')
      await run(core)
      const path = `/payment_methods/${method}`
      await core.ok('PUT', path, await core.ok('GET', path))
      await core.ok('PUT', path, { account_holder: 'Ada P.' })
      await advance(core, '1d')
      expect(await statuses()).to.have.length(1)
      await core.ok('PUT', path, { card: { expiry: '12/48' } })
      await advance(core, '2d')
      expect(await statuses()).to.have.length(2)
      await core.ok('PUT', path, { billing_address: { postal_code: '10001' } })
      await advance(core, '1d')
      expect(await statuses()).to.have.length(3)
    })

    it('is barred by a payment made by a person, too', async () => {
      await paysBy(card('4111111111119906'))
      const body = { type: 'payment', amount: 5, customer_id: shop.customer, processing_id: shop.processing }
      expect((await core.send('POST', '/transactions', body)).status).to.equal(400)
      await schedule(shop, 'annually')
      await advance(core, '9d')
      expect(await statuses()).to.deep.equal(['invalid_card_number'])
    })

    it('is barred by a decline the rail calls hard, with any code, but not by our own risk check', async () => {
      const gateway = remoteSimulator()
      await opened({ gateway })
      await schedule(shop, 'annually')
      gateway.script({ result: 'declined', statusCode: 'suspicious_activity' }, LOST)
      await advance(core, '9d')
      expect(await statuses()).to.deep.equal(['suspicious_activity', 'card_lost'])
    })

    it('is still attempted after the risk check refused it', async () => {
      const settings = await core.ok('GET', `/processing_accounts/${shop.processing}`, undefined, {
        query: 'fields=processing[settings][id]',
      })
      const { id } = Object(Object(settings.processing).settings)
      await core.ok('PUT', `/processing_settings/${id}`, { risk_check_enabled: true })
      for (let n = 0; n < 20; n++)
        await core.send('POST', '/transactions', {
          type: 'payment',
          amount: 5,
          customer_id: shop.customer,
          processing_id: shop.processing,
        })
      const invoice = await schedule(shop, 'annually')
      await run(core)
      expect((await statuses()).at(-1)).to.equal('suspicious_activity')
      await advance(core, '2d')
      expect(await invoicesOf(core, invoice, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('is not barred by the late decline of an attempt from before its change', async () => {
      const gateway = remoteSimulator()
      await opened({ gateway })
      const id = await schedule(shop, 'annually')
      const method = await paysBy(card('4111111111119900'))
      gateway.script('times_out_after')
      await run(core)
      await core.ok('PUT', `/payment_methods/${method}`, { card: { expiry: '12/48' } })
      await core.environment.reconcile(-86_400_000)
      gateway.script({ result: 'approved', amount: 2000 })
      await advance(core, '1d')
      expect(await statuses()).to.deep.equal(['card_expired', 'approved'])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('stays barred when an older payment with it is approved late', async () => {
      const gateway = remoteSimulator()
      await opened({ gateway })
      const body = { type: 'payment', amount: 5, customer_id: shop.customer, processing_id: shop.processing }
      gateway.script('times_out_after', LOST)
      expect(await core.ok('POST', '/transactions', body)).to.include({ status: 'processing' })
      await schedule(shop, 'annually')
      await run(core)
      await core.environment.reconcile(-86_400_000)
      await advance(core, '9d')
      expect(await statuses()).to.deep.equal(['approved', 'card_lost'])
    })

    it('is charged again once a payment with it was approved', async () => {
      const gateway = remoteSimulator()
      await opened({ gateway })
      const id = await schedule(shop, 'annually')
      gateway.script(LOST)
      await run(core)
      const body = { type: 'payment', amount: 5, customer_id: shop.customer, processing_id: shop.processing }
      await core.ok('POST', '/transactions', body)
      await advance(core, '1d')
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })
  })
})

describe('a debit returned by the bank', () => {
  onDatabases((open) => {
    let shop: Shop
    let core: TestCore
    beforeEach(async () => {
      shop = await openBilling(open)
      core = shop.core
      await paysByBank('123456789')
    })
    afterEach(async () => expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([]))

    const paysByBank = (number: string) =>
      core.ok('POST', '/payment_methods', {
        ...bankAccount(number),
        account_id: shop.customer,
        default_payment_method: true,
      })
    const payments = () => paymentsOf(shop, 'id,status,status_code')
    const returnLast = async (code: string) => {
      const last = (await payments()).at(-1) ?? {}
      await core.ok('POST', '/admin/simulate', { event: 'return', transaction_id: idOf(last), code })
    }

    it('is presented twice more if the account lacked money', async () => {
      await schedule(shop, 'annually')
      await run(core)
      for (const code of ['R01', 'R09', 'R01']) {
        await advance(core, '3d')
        await returnLast(code)
        await advance(core, '1d')
      }
      await advance(core, '20d')
      expect((await payments()).map(({ status_code: code }) => code)).to.deep.equal(['R01', 'R09', 'R01'])
    })

    it('is not presented again for other reasons, but another bank account is charged', async () => {
      const id = await schedule(shop, 'annually')
      await run(core)
      await advance(core, '3d')
      await returnLast('R02')
      await advance(core, '2d')
      expect(await payments()).to.have.length(1)
      await paysByBank('987654321')
      await advance(core, '1d')
      expect((await payments()).map(({ status }) => status)).to.deep.equal(['rejected', 'processed'])
      expect(await invoicesOf(core, id, 'status')).to.deep.equal([{ status: 'paid' }])
    })

    it('bars its payment method, even if the payment was refunded before', async () => {
      const id = await schedule(shop, 'monthly')
      await run(core)
      await advance(core, '3d')
      const [paid = {}] = await payments()
      const ledger = [{ assoc_transaction_id: idOf(paid) }]
      await core.ok('POST', '/transactions', { type: 'refund', amount: 20, ledger })
      await core.ok('POST', '/admin/simulate', { event: 'return', transaction_id: idOf(paid), code: 'R02' })
      await advance(core, '2mo')
      expect(await payments()).to.have.length(1)
      expect(await invoicesOf(core, id, 'status')).to.have.length(3)
    })

    it('keeps its bank account barred, even if the bank accepts another debit later', async () => {
      await schedule(shop, 'annually')
      await run(core)
      await returnLast('R02')
      const body = { type: 'payment', amount: 5, customer_id: shop.customer, processing_id: shop.processing }
      expect(await core.ok('POST', '/transactions', body)).to.include({ status: 'processed' })
      await advance(core, '9d')
      expect((await payments()).map(({ status }) => status)).to.deep.equal(['rejected', 'processed'])
    })

    it('is not presented again automatically if a person started the collection', async () => {
      const id = await schedule(shop, 'monthly', { start_date: '2026-10-15' })
      await core.ok('POST', '/admin/billing/backfill', { billing_schedule_id: id, from: '2026-10-01' })
      const missed = idOf((await invoicesOf(core, id, 'id'))[0] ?? {})
      const items = [{ entry_type: 'charge', amount: 5 }]
      const due = { due_date: '2026-11-21', billing_schedule_id: id }
      const own = idOf(await core.ok('POST', '/invoices', { customer_id: shop.customer, items, ...due }))
      for (const invoice of [missed, own]) {
        expect((await core.send('POST', `/invoices/${invoice}/collect`)).status).to.equal(200)
        await returnLast('R01')
      }
      await advance(core, '9d')
      expect(await payments()).to.have.length(2)
      expect((await core.send('POST', `/invoices/${missed}/resume_collecting`)).status).to.equal(200)
      await advance(core, '1d')
      await returnLast('R01')
      await advance(core, '2d')
      expect((await payments()).map(({ status }) => status)).to.deep.equal([
        'rejected',
        'rejected',
        'rejected',
        'processed',
      ])
    })
  })
})
