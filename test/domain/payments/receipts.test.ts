import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'

describe('receipts', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    let customer: string
    before(async () => {
      core = await openCore(open, { publicAddress: 'https://pay.example.com' })
      processing = await makeProcessing(core)
      customer = await makeCustomer(core, processing)
    })
    const payBy = async (more: JsonObject = {}) => await pay(core, processing, 20, more)
    const receiptsOf = async (transaction: JsonObject) =>
      valuesOf(await core.ok('GET', `/transactions/${idOf(transaction)}/receipts`))
    const told = async (transaction: JsonObject) =>
      (await receiptsOf(transaction)).map(({ type, email }) => [type, email])
    const refundOf = async (payment: JsonObject, amount: number) =>
      await core.ok('POST', '/transactions', {
        type: 'refund',
        amount,
        ledger: [{ assoc_transaction_id: idOf(payment) }],
      })

    it('are created for each payment, refund and credit, with the address of the customer', async () => {
      const payment = await payBy({ customer_id: customer })
      const [receipt, ...more] = await receiptsOf(payment)
      expect(more).to.deep.equal([])
      expect(receipt).to.include({
        object: 'receipt',
        transaction_id: idOf(payment),
        type: 'payment',
        email: 'ada@example.com',
        attrs: null,
        created_at: payment.created_at,
      })
      expect(receipt?.url).to.match(
        /^https:\/\/pay\.example\.com\/receipt\/test\/rcpt_\w{22}\?signature=[\w-]{43}$/,
      )
      expect(await core.ok('GET', `/receipts/${receipt?.id}`)).to.deep.equal(receipt)
      expect(await told(await refundOf(payment, 5))).to.deep.equal([['refund', 'ada@example.com']])
      expect(await told(payment)).to.have.length(1)
      const credit = { type: 'credit', amount: 3, processing_id: processing, payment_method: card() }
      expect(await told(await core.ok('POST', '/transactions', credit))).to.deep.equal([['credit', null]])
      const blind = { ...credit, type: 'refund' }
      expect(await told(await core.ok('POST', '/transactions', blind))).to.deep.equal([['refund', null]])
    })

    it('are shown with the payment on request, also in the answer that creates it', async () => {
      const body = { type: 'payment', amount: 1, processing_id: processing, payment_method: card() }
      const query = 'fields=id,receipts[type],receipts[email]'
      const made = await core.ok('POST', '/transactions', body, { query })
      expect(made.receipts).to.deep.equal([{ type: 'payment', email: null }])
      const found = 'receipts[type]=refund&fields=type&limit=1'
      const refund = await core.ok('GET', '/transactions', undefined, { query: found })
      expect(refund.values).to.deep.equal([{ type: 'refund' }])
      const [receipt] = await receiptsOf(made)
      const shown = await core.ok('GET', `/receipts/${receipt?.id}`, undefined, {
        query: 'fields=transaction[amount]',
      })
      expect(shown).to.deep.equal({ transaction: { amount: 1 } })
    })

    it('are created only after the money has moved', async () => {
      const authorized = await payBy({ status: 'authorized' })
      expect(await told(authorized)).to.deep.equal([])
      await core.ok('PUT', `/transactions/${idOf(authorized)}`, { status: 'processed' })
      expect(await told(authorized)).to.deep.equal([['payment', null]])
      const voided = await payBy({ status: 'authorized' })
      await core.ok('PUT', `/transactions/${idOf(voided)}`, { status: 'voided' })
      expect(await told(voided)).to.deep.equal([])
      const declined = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 1,
        processing_id: processing,
        payment_method: card('4111 1111 1111 9903'),
      })
      expect(await told(objectOf(declined.body.details))).to.deep.equal([])
    })

    it('can be created again for another address', async () => {
      const payment = await payBy({ customer_id: customer })
      const path = `/transactions/${idOf(payment)}/receipts`
      const another = await core.ok('POST', '/receipts', {
        transaction_id: idOf(payment),
        email: 'office@example.com',
      })
      expect(another).to.include({ type: 'payment', email: 'office@example.com' })
      await core.ok('POST', path, {})
      expect(await told(payment)).to.deep.equal([
        ['payment', 'ada@example.com'],
        ['payment', 'office@example.com'],
        ['payment', 'ada@example.com'],
      ])
      const urls = (await receiptsOf(payment)).map(({ url }) => url)
      expect(new Set(urls).size).to.equal(3)
      await core.ok('PUT', `/receipts/${idOf(another)}`, { ...another, email: 'eve@example.com' })
      await core.ok('DELETE', `${path}/${idOf(another)}`)
      expect(await told(payment)).to.have.length(2)
    })

    it('need a transaction that can have a receipt', async () => {
      const authorized = idOf(await payBy({ status: 'authorized' }))
      const payment = idOf(await payBy())
      const refused: [body: JsonObject, details: JsonObject][] = [
        [{}, { transaction_id: 'Required' }],
        [{ transaction_id: 'txn_nobody' }, { transaction_id: 'Not found' }],
        [{ transaction_id: authorized }, { transaction_id: 'A payment that is authorized has no receipt' }],
        [{ transaction_id: payment, type: 'refund' }, { type: 'Read only' }],
        [{ transaction_id: payment, url: 'https://example.com' }, { url: 'Read only' }],
        [
          { transaction_id: payment, transaction: { type: 'payment', amount: 5, payment_method: card() } },
          { transaction: 'Must not be sent with transaction_id' },
        ],
      ]
      for (const [body, details] of refused) {
        const answer = await core.send('POST', '/receipts', body)
        expect([answer.status, answer.body.details]).to.deep.equal([400, details])
      }
    })

    it('cannot be sent with a new payment, only with an existing payment', async () => {
      const query = 'fields=receipts[email]'
      const body = {
        type: 'payment',
        amount: 1,
        processing_id: processing,
        payment_method: card(),
        receipts: [{ email: 'office@example.com' }],
      }
      const { status, body: answer } = await core.send('POST', '/transactions', body, { query })
      expect([status, answer.details]).to.deep.equal([400, { receipts: 'Are made at their own path' }])
      const payment = await payBy()
      const path = `/transactions/${idOf(payment)}`
      const [receipt] = await receiptsOf(payment)
      const added: JsonObject = {
        receipts: [{ id: idOf(objectOf(receipt)) }, { email: 'office@example.com' }],
      }
      const changed = await core.ok('PUT', path, added, { query })
      expect(listOf(changed.receipts)).to.deep.equal([{ email: null }, { email: 'office@example.com' }])
    })
  })
})
