import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from './books.js'

const refundOf = (payment: string, amount: number) => ({
  type: 'refund',
  amount,
  ledger: [{ assoc_transaction_id: payment }],
})

describe('refunding', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    const ledgerOf = async (id: string) =>
      valuesOf(await core.ok('GET', `/transactions/${id}/ledger`)).map(
        ({ amount, entry_type, assoc_transaction_id }) => [entry_type, amount, assoc_transaction_id],
      )

    it('a part leaves the rest, with an entry in both ledgers', async () => {
      const payment = await pay(core, processing, 29.99)
      const refund = await core.ok('POST', '/transactions', refundOf(idOf(payment), 10))
      expect(refund).to.include({
        type: 'refund',
        amount: 10,
        status: 'processed',
        status_code: 'approved',
        funding_status: null,
        fee: 0,
        processing_id: processing,
        payment_method_id: payment.payment_method_id,
      })
      expect(await ledgerOf(idOf(payment))).to.deep.equal([['refund', -10, refund.id]])
      expect(await ledgerOf(idOf(refund))).to.deep.equal([['payment', 10, payment.id]])
      expect(await eventsOf(core, idOf(refund))).to.deep.equal(['refund processed'])
      expect(await core.ok('GET', `/transactions/${payment.id}`)).to.include({
        status: 'processed',
        funding_status: 'pending',
      })
    })

    it('the rest makes the payment refunded, and no further cent can be refunded', async () => {
      const account = await makeProcessing(core, 'Whole')
      const payment = idOf(await pay(core, account, 29.99))
      await core.ok('POST', '/transactions', refundOf(payment, 10))
      const over = await core.send('POST', '/transactions', refundOf(payment, 20))
      expect(over.status).to.equal(400)
      expect(over.body.details).to.deep.equal({ amount: 'Exceeds refundable balance of 19.99' })
      await core.ok('POST', '/transactions', refundOf(payment, 19.99))
      expect(await core.ok('GET', `/transactions/${payment}`)).to.include({
        funding_status: 'refunded',
        fee: 1.17,
      })
      const more = await core.send('POST', '/transactions', refundOf(payment, 0.01))
      expect(more.body.details).to.deep.equal({ amount: 'Exceeds refundable balance of 0.00' })
      expect(await booksOf(core, account)).to.deep.equal({ merchant_payable: -117, fee_income: 117 })
    })

    it('by sixty simultaneous requests succeeds exactly up to the balance', async () => {
      const payment = idOf(await pay(core, processing, 50))
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => core.send('POST', '/transactions', refundOf(payment, 1.5))),
      )
      expect(answers.filter(({ status }) => status === 200)).to.have.length(33)
      const refused = answers.filter(({ status }) => status === 400)
      expect(refused).to.have.length(27)
      expect(refused.at(-1)?.body.details).to.deep.equal({ amount: 'Exceeds refundable balance of 0.50' })
      expect(await ledgerOf(payment)).to.have.length(33)
    })

    it('twice in one list shares the balance, and no refund of the list is stored if one does not fit', async () => {
      const payment = idOf(await pay(core, processing, 10))
      const values = [refundOf(payment, 6), refundOf(payment, 6)]
      const { status, body } = await core.send('POST', '/transactions', { object: 'list', values })
      expect(status).to.equal(400)
      expect(body.details).to.deep.equal({ 1: { amount: 'Exceeds refundable balance of 4.00' } })
      expect(await ledgerOf(payment)).to.deep.equal([])
    })

    it('is refused for a payment that was not processed', async () => {
      const authorized = idOf(await pay(core, processing, 10, { status: 'authorized' }))
      const early = await core.send('POST', '/transactions', refundOf(authorized, 1))
      expect(early.body.details).to.deep.equal({
        ledger: { 0: { assoc_transaction_id: 'An authorized payment is not refunded: void it instead' } },
      })
      await core.ok('PUT', `/transactions/${authorized}`, { status: 'voided' })
      const late = await core.send('POST', '/transactions', refundOf(authorized, 1))
      expect(late.body.details).to.deep.equal({
        ledger: { 0: { assoc_transaction_id: 'Only a processed payment can be refunded, this is voided' } },
      })
      const nothing = await core.send('POST', '/transactions', refundOf('txn_nothing', 1))
      expect(nothing.body.details).to.deep.equal({ ledger: { 0: { assoc_transaction_id: 'Not found' } } })
    })

    it('uses the account and method of the payment', async () => {
      const payment = await pay(core, processing, 10)
      const other = await makeProcessing(core, 'Other')
      const elsewhere: [object, object][] = [
        [{ processing_id: other }, { processing_id: "Must be the payment's" }],
        [{ payment_method: card() }, { payment_method: "Must be the payment's" }],
        [{ payment_method_id: 'pm_other' }, { payment_method_id: "Must be the payment's" }],
      ]
      for (const [named, details] of elsewhere) {
        const answer = await core.send('POST', '/transactions', { ...refundOf(idOf(payment), 1), ...named })
        expect(answer.body.details).to.deep.equal(details)
      }
      const same = { processing_id: processing, payment_method_id: payment.payment_method_id ?? null }
      expect(await core.ok('POST', '/transactions', { ...refundOf(idOf(payment), 1), ...same })).to.include({
        amount: 1,
      })
    })

    it('blindly, or by a credit, pays out to a payment method', async () => {
      const account = await makeProcessing(core, 'Blind')
      const body = { amount: 10, processing_id: account, payment_method: card() }
      const refund = await core.ok('POST', '/transactions', { ...body, type: 'refund' })
      const credit = await core.ok('POST', '/transactions', { ...body, type: 'credit' })
      for (const payout of [refund, credit]) {
        expect(payout).to.include({ status: 'processed', funding_status: 'pending', fee: 0 })
      }
      expect(await booksOf(core, account)).to.deep.equal({
        merchant_payable: -2000,
        processor_clearing: 2000,
      })
      expect(await eventsOf(core, idOf(refund))).to.deep.equal(['refund processed'])
      expect(await eventsOf(core, idOf(credit))).to.deep.equal(['credit processed'])
    })

    it('does not accept ledger entries from clients', async () => {
      const payment = idOf(await pay(core, processing, 10))
      await core.ok('POST', '/transactions', refundOf(payment, 1))
      const [entry] = valuesOf(await core.ok('GET', `/transactions/${payment}/ledger`))
      const writes = [
        await core.send('POST', '/transaction_ledgers', {
          transaction_id: payment,
          assoc_transaction_id: payment,
          amount: 1,
        }),
        await core.send('PUT', `/transaction_ledgers/${entry?.id}`, { amount: 5 }),
        await core.send('DELETE', `/transaction_ledgers/${entry?.id}`),
        await core.send('PUT', `/transactions/${payment}`, { ledger: [] }),
      ]
      expect(writes.map(({ status }) => status)).to.deep.equal([403, 403, 403, 403])
      const same = await core.ok('PUT', `/transactions/${payment}`, {
        description: 'kept',
        ledger: entry ? [entry] : [],
      })
      expect(same).to.include({ description: 'kept' })
    })
  })
})
