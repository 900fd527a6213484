import { expect } from 'chai'
import fc from 'fast-check'
import { feesOf } from '../../../src/domain/ledger/fees.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, pay } from '../../support/examples.js'
import { allocatedOf } from '../billing/invoices.js'
import { booksOf } from './books.js'

const SHOWN = 'fields=amount,authorized_amount,conv_fee,fee,status,funding_status'

describe('a partial capture', () => {
  onDatabases((open) => {
    let business: Business
    let processing: string
    before(async () => {
      business = await Business.open(open)
    })
    beforeEach(async () => {
      processing = await business.account({ credit_conv_fee_alloc: 50 })
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    const authorize = async (amount: number, more: JsonObject = {}) =>
      idOf(await pay(business.core, processing, amount, { status: 'authorized', ...more }))
    const capture = (id: string, body: JsonObject = {}) =>
      business.core.send('POST', `/transactions/${id}/capture`, body)
    /** A separate shop whose prices increase after a payment of 100.00 was authorized. */
    const risen = async (billing_preference: string) => {
      const shop = await Business.open(open)
      const account = await shop.account({ credit_conv_fee_alloc: 50 })
      const id = idOf(await pay(shop.core, account, 100, { status: 'authorized' }))
      const { processing: shown = null } = await shop.core.ok('GET', `/processing_accounts/${account}`)
      const settings = `/processing_settings/${idOf(objectOf(objectOf(shown).settings))}`
      await shop.core.ok('PUT', settings, { credit_trans_rate: 9, billing_preference })
      return { core: shop.core, id }
    }
    const show = (id: string) => business.core.ok('GET', `/transactions/${id}`, undefined, { query: SHOWN })
    const bill = async (customer_id: string, amount: number) => {
      const items = [{ entry_type: 'charge', amount }]
      return idOf(
        await business.core.ok('POST', '/invoices', { customer_id, processing_id: processing, items }),
      )
    }

    it('takes the given amount with its own fees, and shows the authorized amount', async () => {
      const id = await authorize(100)
      expect(await show(id)).to.include({ authorized_amount: null, conv_fee: 1.6, fee: 1.6 })
      const { status, body } = await capture(id, { amount: 60 })
      expect([status, body.status, body.amount]).to.deep.equal([200, 'processed', 60])
      // 60.00 × 2.9 % + 0.30 = 2.04
      expect(await show(id)).to.include({ amount: 60, authorized_amount: 100, conv_fee: 1.02, fee: 1.02 })
      expect(await booksOf(business.core, processing)).to.deep.equal({
        processor_clearing: -6102,
        merchant_payable: 5898,
        fee_income: 204,
      })
      expect((await capture(id, { amount: 1 })).body.details).to.deep.equal({
        status: 'Cannot change from processed to processed',
      })
      expect(await business.refund(id, 60)).to.include({ status: 'processed' })
    })

    it('of the whole amount is a normal capture, and above the authorized amount it is refused', async () => {
      const id = await authorize(100)
      expect((await capture(id, { amount: 100.01 })).body.details).to.deep.equal({
        amount: 'Exceeds authorized amount of 100.00',
      })
      for (const amount of [0, -1, null])
        expect(Object.keys((await capture(id, { amount })).body.details ?? {})).to.deep.equal(['amount'])
      expect((await capture(id, { amount: 100 })).status).to.equal(200)
      expect(await show(id)).to.include({ amount: 100, authorized_amount: null })
      const put = await business.core.send('PUT', `/transactions/${await authorize(9)}`, { amount: 5 })
      expect(put.body.details).to.deep.equal({ amount: 'Read only' })
    })

    it('charges the payer at most the authorized amount, even if prices have risen', async () => {
      for (const billing_preference of ['netted_daily', 'billed_monthly']) {
        const { core, ...shop } = await risen(billing_preference)
        const answer = await core.send('POST', `/transactions/${shop.id}/capture`, { amount: 99.99 })
        expect(answer.status).to.equal(200)
        // 99.99 × 9 % + 0.30 = 9.30, of which the payer agreed to 1.60
        const fee = billing_preference === 'netted_daily' ? 7.7 : 0
        expect(await core.ok('GET', `/transactions/${shop.id}`, undefined, { query: SHOWN })).to.include({
          amount: 99.99,
          conv_fee: 1.6,
          fee,
        })
        expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
      }
    })

    it('needs the permission to change transactions', async () => {
      const id = await authorize(10)
      const principal = {
        kind: 'key',
        id: 'key_1',
        manage: false,
        grants: { transactions: ['POST'] },
      } as const
      const path = `/transactions/${id}/capture`
      const answer = await business.core.environment.core.handle({
        method: 'POST',
        path,
        body: {},
        principal,
      })
      expect(answer.status).to.equal(403)
    })

    it('reduces the newest allocations first', async () => {
      const customer = await makeCustomer(business.core, processing)
      const invoices = [await bill(customer, 50), await bill(customer, 30), await bill(customer, 40)]
      // The newest allocation is that of the invoice with the lowest id.
      const allocations = invoices.toReversed().map((id) => ({ invoice_id: id }))
      const id = await authorize(120, { customer_id: customer, allocations })
      await capture(id, { amount: 60 })
      const paid = await allocatedOf(business.core, { id })
      expect(paid.map(([, total]) => total)).to.deep.equal([-40, -20, 0])
    })

    it('pays the sum of its allocations, and at most the captured amount, for any amounts', async () => {
      const customer = await makeCustomer(business.core, processing)
      const cents = fc.integer({ min: 1, max: 20_000 })
      const property = fc.asyncProperty(
        fc.array(cents, { maxLength: 4 }),
        cents,
        fc.integer({ min: 1, max: 100 }),
        async (shares, rest, percent) => {
          const invoices: string[] = []
          for (const share of shares) invoices.push(await bill(customer, share / 100))
          const whole = shares.reduce((sum, each) => sum + each, rest)
          const allocations = invoices.map((id) => ({ invoice_id: id }))
          const id = await authorize(whole / 100, { customer_id: customer, allocations })
          const part = Math.max(1, Math.floor((whole * percent) / 100))
          expect((await capture(id, { amount: part / 100 })).status).to.equal(200)
          const shown = await show(id)
          const price = { rate: 29_000, cost: 30, alloc: 500_000, billing: 'netted_daily' } as const
          const fees = feesOf(part, price)
          expect(shown).to.include({
            amount: part / 100,
            authorized_amount: part === whole ? null : whole / 100,
            conv_fee: fees.convFee / 100,
            fee: fees.fee / 100,
          })
          let left = part
          for (const [index, [, total]] of (await allocatedOf(business.core, { id })).entries()) {
            const expected = Math.min(left, shares[index] ?? 0)
            expect(Math.round(Number(total) * 100)).to.equal(0 - expected)
            left -= expected
          }
        },
      )
      await fc.assert(property, { numRuns: 12 })
    })

    it('succeeds once, however many captures and voids arrive at the same time', async () => {
      const id = await authorize(50)
      const answers = await Promise.all(
        Array.from({ length: 18 }, (_, n) => {
          if (n % 3 === 0) return capture(id, { amount: 10 + n })
          if (n % 3 === 1) return capture(id)
          return business.core.send('PUT', `/transactions/${id}`, { status: 'voided' })
        }),
      )
      const captured = answers.filter(({ status }, n) => n % 3 !== 2 && status === 200)
      expect(captured).to.have.length.within(0, 1)
      expect(['processed', 'voided']).to.include((await show(id)).status)
    })

    it('is found by its reference after a lost answer, and blocks other operations until then', async () => {
      const gateway = remoteSimulator()
      const remote = await Business.open(open, { gateway })
      const account = await remote.account({ credit_conv_fee_alloc: 50 })
      const id = idOf(await pay(remote.core, account, 100, { status: 'authorized' }))
      gateway.script('times_out_after')
      const path = `/transactions/${id}/capture`
      const asked = await remote.core.send('POST', path, { amount: 60 })
      expect([asked.status, asked.body.status, asked.body.amount]).to.deep.equal([200, 'authorized', 100])
      expect((await remote.core.send('POST', path, { amount: 50 })).status).to.equal(409)
      await remote.core.environment.reconcile(0)
      expect(await remote.core.ok('GET', `/transactions/${id}`, undefined, { query: SHOWN })).to.include({
        status: 'processed',
        amount: 60,
        authorized_amount: 100,
        conv_fee: 1.02,
      })
      expect(gateway.performed.at(-1)).to.include({ type: 'capture', amount: 6102, isPart: true })
      expect(await remote.audit()).to.deep.equal([])
      expect((await remote.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('leaves the whole payment authorized if the request never reached the gateway', async () => {
      const gateway = remoteSimulator()
      const remote = await Business.open(open, { gateway })
      const id = idOf(await pay(remote.core, await remote.account(), 100, { status: 'authorized' }))
      gateway.script('fails_before')
      await remote.core.send('POST', `/transactions/${id}/capture`, { amount: 60 })
      await remote.core.environment.reconcile(0)
      expect(await remote.core.ok('GET', `/transactions/${id}`, undefined, { query: SHOWN })).to.include({
        status: 'authorized',
        amount: 100,
        authorized_amount: null,
      })
    })

    it('is refused if the rail does not support it', async () => {
      const gateway = remoteSimulator(simulator, { partialCapture: false })
      const remote = await Business.open(open, { gateway })
      const id = idOf(await pay(remote.core, await remote.account(), 100, { status: 'authorized' }))
      const path = `/transactions/${id}/capture`
      const { status, body } = await remote.core.send('POST', path, { amount: 60 })
      expect([status, body.details]).to.deep.equal([
        400,
        { amount: 'remote-simulator captures no part of a payment' },
      ])
      expect((await remote.core.send('POST', path, { amount: 100 })).status).to.equal(200)
    })
  })
})
