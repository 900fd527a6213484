import { expect } from 'chai'
import { writeDataUrl } from '../../../src/schema/data-url.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, listOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, pay } from '../../support/examples.js'

const PDF = writeDataUrl({ name: 'slip.pdf', bytes: Buffer.from('%PDF-1.7') })

describe('the stages of a dispute', () => {
  onDatabases((open) => {
    let business: Business
    let account: string
    before(async () => {
      business = await Business.open(open)
    })
    beforeEach(async () => {
      account = await business.account()
    })
    afterEach(async () => {
      expect(await business.audit(account)).to.deep.equal([])
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    const take = async (amount = 50, more: JsonObject = {}) =>
      idOf(await pay(business.core, account, amount, more))
    const disputeOf = async (payment: string) => {
      const query = { query: `transaction_id=${payment}&fields=*,evidence` }
      const found = valuesOf(await business.core.ok('GET', '/disputes', undefined, query))
      expect(found).to.have.length(1)
      return found[0] ?? {}
    }
    const answer = async (dispute: JsonObject, verb: string, body: JsonObject = {}) =>
      await business.core.send('POST', `/disputes/${idOf(dispute)}/${verb}`, body)
    const record = async (event: string, transaction_id: string, more: JsonObject = {}) =>
      await business.core.send('POST', '/admin/disputes', { event, transaction_id, dispute: 'dp_7', ...more })
    const eventsOf = async (dispute: JsonObject) => {
      const { events } = await business.core.ok('GET', '/admin/events', undefined, { query: 'limit=1000' })
      return listOf(events)
        .map(objectOf)
        .filter(({ triggered_on_id: id }) => id === dispute.id)
        .map(({ trigger, triggered_on_value: value }) => `${trigger} ${value}`)
    }

    it('begin with an inquiry, which moves no money and leaves the payment refundable', async () => {
      const payment = await take()
      const inquired = await business.simulate('inquiry', payment)
      expect(inquired).to.include({ stage: 'inquiry', recorded_id: null, status: 'processed' })
      const inquiry = await disputeOf(payment)
      expect(inquiry).to.include({ stage: 'inquiry', chargeback_id: null, amount: 50 })
      expect(await business.refund(payment, 20)).to.include({ status: 'processed' })
      expect((await answer(inquiry, 'contest', { text: 'It was delivered' })).body).to.include({
        stage: 'inquiry',
        answer: 'contest',
      })
      expect((await answer(inquiry, 'contest', { text: 'Again' })).status).to.equal(400)
      const charged = await business.simulate('chargeback', payment, { amount: 30 })
      const dispute = await disputeOf(payment)
      expect(dispute).to.include({
        id: inquiry.id,
        stage: 'needs_response',
        chargeback_id: charged.recorded_id,
        answer: null,
        amount: 30,
      })
      expect(await eventsOf(dispute)).to.deep.equal(['dispute inquiry', 'dispute needs_response'])
    })

    it('continue with evidence, which is submitted once, and end with the decision of the bank', async () => {
      const payment = await take()
      await business.simulate('chargeback', payment)
      const dispute = await disputeOf(payment)
      for (const files of [[{ content: 'no file' }], [{ content: 'data:,plain%20text' }], [], 'x'])
        expect((await answer(dispute, 'contest', { files })).status).to.equal(400)
      const contested = await answer(dispute, 'contest', { text: 'Delivered', files: [{ content: PDF }] })
      expect(contested.body).to.include({ stage: 'under_review', answer: 'contest' })
      expect((await disputeOf(payment)).evidence).to.deep.equal(['text', 'slip.pdf'])
      for (const verb of ['contest', 'accept'])
        expect(
          (await answer(dispute, verb, verb === 'contest' ? { text: 'More' } : {})).body,
        ).to.deep.include({
          details: { stage: 'Takes no answer: it is under_review' },
        })
      const won = await business.simulate('dispute_won', payment)
      expect(await disputeOf(payment)).to.include({ stage: 'won', reversal_id: won.recorded_id })
      expect(await eventsOf(dispute)).to.deep.equal([
        'dispute needs_response',
        'dispute under_review',
        'dispute won',
      ])
    })

    it('end as lost by acceptance, by the bank, or by a bank return, without another ledger entry', async () => {
      const accepted = await take()
      const charged = await business.simulate('chargeback', accepted)
      const before = await business.ledger(accepted)
      expect((await answer(await disputeOf(accepted), 'accept')).body).to.include({ stage: 'lost' })
      expect(await business.ledger(accepted)).to.deep.equal(before)
      const decided = await take()
      await business.simulate('chargeback', decided)
      expect(await business.simulate('dispute_lost', decided)).to.include({
        stage: 'lost',
        recorded_id: null,
      })
      const returned = await take(20, { payment_method: bankAccount() })
      await business.simulate('return', returned, { code: 'R08' })
      expect(await disputeOf(returned)).to.include({ stage: 'lost', reason: 'R08' })
      expect(charged.recorded_id).to.be.a('string')
    })

    it('can be recorded by hand if the gateway reports none, each event once', async () => {
      const payment = await take()
      const due_by = '2099-01-02 00:00:00'
      const told = (await record('inquiry', payment, { reason: 'general', due_by })).body
      expect(told).to.include({ stage: 'inquiry', recorded_id: null, amount: 50 })
      expect((await record('dispute_lost', payment)).status).to.equal(400)
      await record('chargeback', payment, { reason: 'fraudulent' })
      expect(await disputeOf(payment)).to.include({ stage: 'needs_response', reason: 'fraudulent', due_by })
      expect((await record('inquiry', payment)).status).to.equal(400)
      expect((await record('contested', payment)).body).to.include({ stage: 'under_review' })
      expect((await record('dispute_lost', payment)).body).to.include({ stage: 'lost' })
      expect((await record('dispute_lost', payment)).status).to.equal(400)
      expect((await record('contested', payment, { dispute: 'dp_none' })).status).to.equal(400)
    })

    it('are visible only to keys of their account', async () => {
      const payment = await take()
      await business.simulate('chargeback', payment)
      const other = await business.account()
      const key = async (processing: string) => {
        const made = await business.core.ok('POST', '/admin/keys', { processing_ids: [processing] })
        const holder = await business.core.app.authenticate(String(made.secret_key))
        if (!holder) throw new Error('The key is unknown')
        return await business.core.send('GET', '/disputes', undefined, { principal: holder.principal })
      }
      expect(valuesOf((await key(account)).body)).to.have.length(1)
      expect(valuesOf((await key(other)).body)).to.have.length(0)
    })

    it('trigger one event before each deadline', async () => {
      const payment = await take()
      await business.core.ok('PUT', '/admin/clock', { now: '2040-03-01 12:00:00' })
      await record('chargeback', payment, { dispute: 'dp_due', due_by: '2040-03-10 12:00:00' })
      const dispute = await disputeOf(payment)
      await business.core.ok('POST', '/admin/clock', { to: '2040-03-07 11:00:00' })
      expect(await eventsOf(dispute)).to.deep.equal(['dispute needs_response'])
      await business.core.ok('POST', '/admin/clock', { to: '2040-03-09 12:00:00' })
      expect(await eventsOf(dispute)).to.deep.equal(['dispute needs_response', 'dispute_due needs_response'])
      // A new deadline triggers another event.
      await record('chargeback', payment, { dispute: 'dp_due', due_by: '2040-03-11 12:00:00' })
      expect(await eventsOf(dispute)).to.have.length(3)
    })
  })
})
