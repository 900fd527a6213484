import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'

/** A card number that no other test uses, so that it causes no risk. */
const UNSEEN = '5105105105105100'

describe('screening', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    async function shop(settings: JsonObject): Promise<string> {
      const id = await makeProcessing(core)
      const account = await core.ok('GET', `/processing_accounts/${id}`)
      const own = idOf(objectOf(objectOf(account.processing).settings))
      await core.ok('PUT', `/processing_settings/${own}`, settings)
      return id
    }

    async function attempt(processing: string, amount: number, more: JsonObject = {}) {
      const body = { type: 'payment', amount, processing_id: processing, payment_method: card(), ...more }
      const { status, body: answer } = await core.send('POST', '/transactions', body)
      return status === 200 ? answer : objectOf(answer.details)
    }

    describe('for duplicates', () => {
      it('accepts duplicate payments in test by default', async () => {
        const processing = await makeProcessing(core)
        await pay(core, processing, 10)
        expect(await attempt(processing, 10)).to.include({ status: 'processed' })
      })

      it('declines the same method, amount and account within the window', async () => {
        const processing = await shop({ duplicate_window: 60 })
        await pay(core, processing, 10)
        expect(await attempt(processing, 10)).to.include({
          status: 'declined',
          status_code: 'duplicate_attempt',
        })
        expect(await attempt(processing, 10.01)).to.include({ status: 'processed' })
        const other = { payment_method: card('5555 5555 5555 4444') }
        expect(await attempt(processing, 10, other)).to.include({ status: 'processed' })
        expect(await attempt(await shop({ duplicate_window: 60 }), 10)).to.include({ status: 'processed' })
      })

      it('accepts a payment for another invoice or order number', async () => {
        const processing = await shop({ duplicate_window: 60 })
        const customer = await makeCustomer(core, processing)
        const bill = async () =>
          idOf(
            await core.ok('POST', '/invoices', {
              customer_id: customer,
              processing_id: processing,
              items: [{ entry_type: 'charge', amount: 100 }],
            }),
          )
        const one = await bill()
        const two = await bill()
        const forInvoices = (...ids: string[]) =>
          attempt(processing, 33, {
            payment_method: card(UNSEEN),
            allocations: ids.map((id) => ({ invoice_id: id, amount: 10 })),
          })
        const declined = { status: 'declined', status_code: 'duplicate_attempt' }
        for (const paid of [[], [one], [two], [one, two]]) {
          expect(await forInvoices(...paid)).to.include({ status: 'processed' })
          expect(await forInvoices(...paid.toReversed())).to.include(declined)
        }
        for (const order_number of ['1', '2'])
          for (const expected of [{ status: 'processed' }, declined])
            expect(await attempt(processing, 33, { payment_method: card(UNSEEN), order_number })).to.include(
              expected,
            )
      })

      it('compares the invoice of a payment that is nested in a line item', async () => {
        const processing = await shop({ duplicate_window: 60 })
        const customer = await makeCustomer(core, processing)
        const pays = async (invoice_id: string) => {
          const payment = { type: 'payment', amount: 10, payment_method: card(UNSEEN) }
          const item = { invoice_id, entry_type: 'payment', payment }
          return (await core.send('POST', '/line_items', item)).status
        }
        const bill = { customer_id: customer, processing_id: processing }
        const items = [{ entry_type: 'charge', amount: 100 }]
        const one = idOf(await core.ok('POST', '/invoices', { ...bill, items }))
        const two = idOf(await core.ok('POST', '/invoices', { ...bill, items }))
        expect([await pays(one), await pays(two), await pays(one)]).to.deep.equal([200, 200, 400])
      })

      it('ignores payments that were declined or voided', async () => {
        const processing = await shop({ duplicate_window: 60 })
        await core.ok('PUT', `/transactions/${idOf(await pay(core, processing, 20))}`, { status: 'voided' })
        expect(await attempt(processing, 20)).to.include({ status: 'processed' })
      })

      it('detects a duplicate that arrives at the same time', async () => {
        const processing = await shop({ duplicate_window: 60 })
        const both = await Promise.all([attempt(processing, 30), attempt(processing, 30)])
        expect(both.map(({ status }) => status).sort()).to.deep.equal(['declined', 'processed'])
      })
    })

    describe('for risk', () => {
      const numbers = [
        '4000056655665556',
        '5555555555554444',
        '2223003122003222',
        '4012888888881881',
        '5200828282828210',
      ]

      /** Makes this number of payments with a new card, then one with another shipping address. */
      async function suspicious(before: number, more: JsonObject = {}) {
        const processing = await shop({ risk_check_enabled: true })
        const method = card(numbers.pop())
        for (let n = 0; n < before; n++) await attempt(processing, 10, { payment_method: method })
        return await attempt(processing, 10, {
          payment_method: { ...method, billing_address: { postal_code: '10001' } },
          shipping_details: { postal_code: '94105' },
          ...more,
        })
      }
      const review = (id: string, decision: string) =>
        core.send('POST', `/transactions/${id}/review`, { decision })

      it('holds a payment as authorized, which cannot be captured during the review', async () => {
        const held = await suspicious(10)
        expect(held).to.include({ status: 'authorized', risk_flag: 'in_review', risk_score: 0.7 })
        const capture = await core.send('PUT', `/transactions/${idOf(held)}`, { status: 'processed' })
        expect(capture.body.details).to.deep.equal({
          status: 'Cannot change from authorized to processed: it is held for review',
        })
      })

      it('gives an allowed payment its requested status', async () => {
        const paid = await review(idOf(await suspicious(10)), 'allow')
        expect(paid.body).to.include({ status: 'processed', risk_flag: 'allowed' })
        const held = await review(idOf(await suspicious(10, { status: 'authorized' })), 'allow')
        expect(held.body).to.include({ status: 'authorized', risk_flag: 'allowed' })
      })

      it('voids a denied payment', async () => {
        const { body } = await review(idOf(await suspicious(10)), 'deny')
        expect(body).to.include({ status: 'voided', risk_flag: 'denied' })
      })

      it('refuses scores above 0.9', async () => {
        const denied = await suspicious(20)
        expect(denied).to.include({
          status: 'declined',
          status_code: 'suspicious_activity',
          risk_flag: 'denied',
        })
      })

      it('counts the payments of a customer within a day, by any method', async () => {
        const processing = await shop({ risk_check_enabled: true })
        const customer_id = await makeCustomer(core, processing)
        const scores = []
        for (let n = 0; n < 22; n++) {
          const payment_method = bankAccount(`10000000${n + 10}`)
          scores.push((await attempt(processing, 10, { customer_id, payment_method })).risk_score)
        }
        expect(scores).to.deep.equal([...Array(20).fill(0), 0.2, 0.2])
      })

      it('is decided once, only for a payment held for review', async () => {
        const id = idOf(await pay(core, await makeProcessing(core), 10))
        expect((await review(id, 'allow')).body.details).to.deep.equal({
          decision: 'The payment is not held for review: it is processed',
        })
        const authorized = idOf(await pay(core, await makeProcessing(core), 10, { status: 'authorized' }))
        expect((await review(authorized, 'allow')).body.details).to.deep.equal({
          decision: 'The payment is not held for review: it is authorized',
        })
        const held = idOf(await suspicious(10))
        await core.ok('PUT', `/transactions/${held}`, { status: 'voided' })
        expect((await review(held, 'allow')).body.details).to.deep.equal({
          decision: 'The payment is not held for review: it is voided',
        })
        expect((await review(id, 'maybe')).body.details).to.deep.equal({
          decision: 'Must be one of: allow, deny',
        })
        const key = { kind: 'key', id: 'key_1', manage: false } as const
        const path = `/transactions/${id}/review`
        const refused = await core.send('POST', path, { decision: 'allow' }, { principal: key })
        expect(refused.status).to.equal(403)
      })
    })
  })
})
