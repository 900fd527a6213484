import { expect } from 'chai'
import type { RemoteGateway } from '../../../src/gateways/contract.js'
import {
  type Behaviour,
  type RemoteSimulator,
  remoteSimulator,
} from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { narrowed } from '../../engine/core/merchants.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from './books.js'

describe('a remote gateway', () => {
  onDatabases((open) => {
    let core: TestCore
    let gateway: RemoteSimulator
    let processing: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      core = await openCore(open, { gateway })
      processing = await makeProcessing(core)
    })

    const read = async (id: string) => await core.ok('GET', `/transactions/${id}`)
    const refund = (id: string, amount: number) =>
      core.send('POST', '/transactions', { type: 'refund', amount, ledger: [{ assoc_transaction_id: id }] })

    it('gives the same results as an embedded gateway when it answers', async () => {
      const payment = idOf(await pay(core, processing, 29.99))
      expect(await read(payment)).to.include({ status: 'processed', fee: 1.17, funding_status: 'pending' })
      expect(await eventsOf(core, payment)).to.deep.equal(['payment processed', 'processed processed'])
      expect((await refund(payment, 29.99)).body).to.include({ status: 'processed' })
      expect(await read(payment)).to.include({ funding_status: 'refunded' })
      expect(await booksOf(core, processing)).to.deep.equal({ merchant_payable: -117, fee_income: 117 })

      const authorized = idOf(await pay(core, processing, 5, { status: 'authorized' }))
      expect(await core.ok('PUT', `/transactions/${authorized}`, { status: 'processed' })).to.include({
        status: 'processed',
      })
      expect(await core.ok('PUT', `/transactions/${authorized}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
      expect(gateway.performed.map(({ type }) => type)).to.deep.equal([
        'sale',
        'refund',
        'authorize',
        'capture',
        'void',
      ])
    })

    it('makes the payment declined, without fees, when it declines', async () => {
      const body = {
        type: 'payment',
        amount: 10,
        processing_id: processing,
        payment_method: card('4111111111119903'),
      }
      const answer = await core.send('POST', '/transactions', body)
      expect(answer.body).to.include({ error_type: 'TransactionDeclined' })
      expect(objectOf(answer.body.details)).to.include({
        status: 'declined',
        status_code: 'general_decline',
        fee: 0,
      })
      expect(await booksOf(core, processing)).to.deep.equal({})
    })

    it('is called only after the intent is stored', async () => {
      const seen: JsonObject[] = []
      const watching: RemoteGateway = {
        ...gateway,
        async perform(operation) {
          seen.push(await other.ok('GET', `/transactions/${operation.reference}`))
          return await gateway.perform(operation)
        },
      }
      const other = await openCore(open, { gateway: watching })
      const payment = await pay(other, await makeProcessing(other), 10)
      expect(seen.map(({ id, status }) => [id, status])).to.deep.equal([[payment.id, 'processing']])
      expect(payment).to.include({ status: 'processed' })
    })

    const lost: [Behaviour, object, string[]][] = [
      ['times_out_after', { status: 'processed', fee: 1.17 }, ['payment processed', 'processed processed']],
      ['fails_before', { status: 'declined', status_code: 'never_sent', fee: 0 }, ['decline declined']],
    ]
    for (const [behaviour, outcome, events] of lost) {
      it(`that ${behaviour} leaves a payment processing until it is reconciled once`, async () => {
        gateway.script(behaviour)
        const payment = idOf(await pay(core, processing, 29.99))
        expect(await read(payment)).to.include({
          status: 'processing',
          status_code: null,
          funding_status: 'pending',
        })
        expect(await eventsOf(core, payment)).to.deep.equal([])
        expect(await core.environment.reconcile(0)).to.have.length(1)
        expect(await core.environment.reconcile(0)).to.deep.equal([])
        expect(await read(payment)).to.include(outcome)
        expect(await eventsOf(core, payment)).to.deep.equal(events)
      })
    }

    it('is queried for no further outcome after the service stops; the rest follows at the next start', async () => {
      gateway.script('times_out_after', 'times_out_after')
      const payments = [await pay(core, processing, 10), await pay(core, processing, 11)].map(idOf)
      const stopping = new AbortController()
      const asked: string[] = []
      const last: RemoteGateway = {
        ...gateway,
        async find(operation, at) {
          asked.push(operation.reference)
          stopping.abort()
          return await gateway.find(operation, at)
        },
      }
      const other = await openCore(open, { ...core.place, gateway: last })
      await (await other.app.environment('test')).reconcile(0, stopping.signal)
      expect(asked).to.have.length(1)
      const statuses = async () =>
        (await Promise.all(payments.map(async (id) => (await read(id)).status))).sort()
      expect(await statuses()).to.deep.equal(['processed', 'processing'])
      await core.environment.reconcile(0)
      expect(await statuses()).to.deep.equal(['processed', 'processed'])
    })

    it('keeps the balance reserved and blocks other operations after a refund without an answer', async () => {
      const payment = idOf(await pay(core, processing, 10))
      gateway.script('times_out_after')
      const { body } = await refund(payment, 4)
      expect(body).to.include({ status: 'processing', funding_status: null })
      expect((await refund(payment, 1)).status).to.equal(409)
      expect((await core.send('PUT', `/transactions/${payment}`, { status: 'voided' })).status).to.equal(409)
      await core.environment.reconcile(0)
      expect(await read(idOf(body))).to.include({ status: 'processed' })
      expect((await refund(payment, 6.01)).body.details).to.deep.equal({
        amount: 'Exceeds refundable balance of 6.00',
      })
      expect((await refund(payment, 6)).status).to.equal(200)
      expect(await read(payment)).to.include({ funding_status: 'refunded' })
    })

    it('releases the balance of a refund that it never received', async () => {
      const payment = idOf(await pay(core, processing, 10))
      gateway.script('fails_before')
      const { body } = await refund(payment, 4)
      await core.environment.reconcile(0)
      expect(await read(idOf(body))).to.include({ status: 'declined', status_code: 'never_sent' })
      expect(valuesOf(await core.ok('GET', `/transactions/${payment}/ledger`))).to.deep.equal([])
      expect((await refund(payment, 10)).status).to.equal(200)
    })

    it('leaves the payment unchanged after a void or a capture that it never received', async () => {
      const payment = idOf(await pay(core, processing, 10, { status: 'authorized' }))
      for (const status of ['processed', 'voided']) {
        gateway.script('fails_before')
        expect(await core.ok('PUT', `/transactions/${payment}`, { status })).to.include({
          status: 'authorized',
        })
        expect((await core.send('PUT', `/transactions/${payment}`, { status })).status).to.equal(409)
        await core.environment.reconcile(0)
        expect(await read(payment)).to.include({ status: 'authorized' })
      }
      expect(await core.ok('PUT', `/transactions/${payment}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
    })

    it('completes the answer waiting under an idempotency key', async () => {
      gateway.script('times_out_after')
      const body = { type: 'payment', amount: 10, processing_id: processing, payment_method: card() }
      const first = await core.send('POST', '/transactions', body, { idempotencyKey: 'once' })
      expect(first.body).to.include({ status: 'processing' })
      await core.environment.reconcile(0)
      const again = await core.send('POST', '/transactions', body, { idempotencyKey: 'once' })
      expect(again.body).to.include({ id: first.body.id, status: 'processed' })
      expect(gateway.performed).to.have.length(1)
    })

    it('completes that answer with what the narrowed key may see, including related objects', async () => {
      const customer_id = await makeCustomer(core, processing)
      const body = { type: 'payment', amount: 10, customer_id, payment_method: card() }
      const principal = narrowed(processing)
      const query = 'fields=*,customer[name],processing[id]'
      gateway.script('times_out_after')
      await core.send('POST', '/transactions', body, { principal, query, idempotencyKey: 'narrow' })
      await core.environment.reconcile(0)
      const again = await core.send('POST', '/transactions', body, {
        principal,
        query,
        idempotencyKey: 'narrow',
      })
      const shown = await core.send('GET', `/transactions/${idOf(again.body)}`, undefined, {
        principal,
        query,
      })
      expect(again.body).to.deep.equal(shown.body)
      expect(again.body).to.deep.include({ status: 'processed', processing: { id: processing } })
      expect(objectOf(again.body.customer)).to.include({ name: 'Ada Park' })
    })
  })
})
