import { expect } from 'chai'
import {
  type Behaviour,
  type RemoteSimulator,
  remoteSimulator,
} from '../../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import { Business } from '../../support/business.js'
import { idOf, list, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'
import { eventsOf } from './books.js'

const FACTS = 'id,status,status_code,gateway_id,auth_code,cvv_result,network_id,gateway_code'
const NOT_SENT = { result: 'not_sent', problem: 'refused' } as const
const MISCONFIGURED = { result: 'misconfigured', scope: 'gateway', problem: '401' } as const

describe('an outcome reported by a gateway', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      account = await business.account()
    })
    afterEach(async () => expect(await business.audit()).to.deep.equal([]))

    const sending = (more: object = {}) => ({
      type: 'payment',
      amount: 29.99,
      processing_id: account,
      payment_method: card(),
      ...more,
    })
    const send = (behaviour: Behaviour, options: object = {}) => {
      gateway.script(behaviour)
      return business.core.send('POST', '/transactions', sending(), options)
    }
    const become = (id: string, status: string) =>
      business.core.send('PUT', `/transactions/${id}`, { status })
    const refund = (id: string, amount: number) =>
      business.core.send('POST', '/transactions', {
        type: 'refund',
        amount,
        ledger: [{ assoc_transaction_id: id }],
      })
    const all = async () => valuesOf(await business.core.ok('GET', '/transactions'))
    const exceptions = async () => valuesOf(await business.core.ok('GET', '/admin/exceptions'))
    const reconcile = () => business.core.environment.reconcile(0)

    it('is limited to supported operations: here no void of captures and no partial refunds', async () => {
      const poor = remoteSimulator(simulator, { voidCaptured: 'no', partialRefund: false })
      const other = await business.another(open, { gateway: poor })
      const taken = idOf(await other.ok('POST', '/transactions', sending()))
      const voided = await other.send('PUT', `/transactions/${taken}`, { status: 'voided' })
      expect(voided.status).to.equal(400)
      expect(JSON.stringify(voided.body)).to.include('refund it instead')
      const part = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: taken }] }
      expect((await other.send('POST', '/transactions', part)).status).to.equal(400)
      expect(await other.ok('POST', '/transactions', { ...part, amount: 29.99 })).to.include({
        status: 'processed',
      })
      const held = idOf(await other.ok('POST', '/transactions', sending({ status: 'authorized', amount: 5 })))
      expect(await other.ok('PUT', `/transactions/${held}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
    })

    it('is stored with the transaction, and shown only on request', async () => {
      const { body } = await send({
        result: 'approved',
        amount: 2999,
        gatewayId: 'g_1',
        code: '00',
        avs: 'zip',
        cvv: 'match',
        authCode: 'A1B2C3',
        networkId: 'n_1',
      })
      expect(body).to.include({ status: 'processed', avs: 'zip' }).and.not.have.property('gateway_id')
      expect(
        await business.core.ok('GET', `/transactions/${idOf(body)}`, undefined, { query: `fields=${FACTS}` }),
      ).to.include({
        gateway_id: 'g_1',
        auth_code: 'A1B2C3',
        cvv_result: 'match',
        network_id: 'n_1',
        gateway_code: '00',
      })
      await become(idOf(body), 'voided')
      expect(gateway.performed.at(-1)?.parent).to.deep.include({ reference: idOf(body), gatewayId: 'g_1' })
    })

    for (const [outcome, code, after] of [
      [NOT_SENT, 'gateway_unavailable', '30'],
      [MISCONFIGURED, 'gateway_misconfigured', '300'],
    ] as const)
      it(`of ${outcome.result} leads to a 503 without events, and its idempotency key can be used again`, async () => {
        const key = { idempotencyKey: `again ${code}` }
        const refused = await send(outcome, key)
        expect(refused.status).to.equal(503)
        expect(refused.headers).to.include({ 'Retry-After': after })
        const [stored] = await all()
        expect(stored).to.include({ status: 'declined', status_code: code })
        expect(await eventsOf(business.core, idOf(stored ?? {}))).to.deep.equal([])
        const again = await send('answers', key)
        expect(again.status).to.equal(200)
        expect(again.body).to.include({ status: 'processed' })
        expect(await all()).to.have.length(2)
      })

    it('of a payment that was not sent is stored in a list, and the answer is the same for the same key', async () => {
      gateway.script('answers', NOT_SENT)
      const body = list([sending({ order_number: 'first' }), sending({ order_number: 'second' })])
      const first = await business.core.send('POST', '/transactions', body, { idempotencyKey: 'list' })
      expect(valuesOf(first.body).map(({ status }) => status)).to.deep.equal(['processed', 'declined'])
      const again = await business.core.send('POST', '/transactions', body, { idempotencyKey: 'list' })
      expect(again.body).to.deep.equal(first.body)
    })

    it('leaves the payment unchanged if a capture, void or refund was not sent', async () => {
      const payment = idOf(await pay(business.core, account, 10, { status: 'authorized' }))
      gateway.script(NOT_SENT)
      expect((await become(payment, 'processed')).status).to.equal(503)
      expect(await business.read(payment)).to.include({ status: 'authorized' })
      await become(payment, 'processed')
      gateway.script(MISCONFIGURED)
      expect((await become(payment, 'voided')).status).to.equal(503)
      gateway.script(NOT_SENT)
      expect((await refund(payment, 4)).status).to.equal(503)
      expect((await refund(payment, 10)).body).to.include({ status: 'processed' })
    })

    it('that refuses a void leads to a 400; a payment settled there is refunded from then on', async () => {
      const payment = idOf(await pay(business.core, account, 10))
      gateway.script({ result: 'declined', statusCode: 'declined' })
      expect((await become(payment, 'voided')).status).to.equal(400)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'pending' })
      gateway.script({ result: 'declined', statusCode: 'already_settled' })
      const { body } = await become(payment, 'voided')
      expect(objectOf(body.details).status).to.match(/refund it instead/)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'captured' })
    })

    it('that requires authentication is a decline', async () => {
      const { body } = await send({ result: 'action', gatewayId: 'g_2' })
      expect(objectOf(body.details)).to.include({ status_code: 'authentication_required' })
    })

    it('that is pending leaves the payment waiting, to be found by its id', async () => {
      const { body } = await send({ result: 'pending', gatewayId: 'g_3' })
      expect(body).to.include({ status: 'processing' })
      const query = 'fields=gateway_id,status'
      expect(
        await business.core.ok('GET', `/transactions/${idOf(body)}`, undefined, { query }),
      ).to.deep.equal({
        gateway_id: 'g_3',
        status: 'processing',
      })
      await reconcile()
      expect(await business.read(idOf(body))).to.include({ status: 'declined', status_code: 'never_sent' })
    })

    it("that is missing counts as never sent only after the gateway's horizon", async () => {
      const slow = remoteSimulator(simulator, { horizon: 60_000 })
      const other = await business.another(open, { gateway: slow })
      slow.script('fails_before')
      const payment = idOf((await other.send('POST', '/transactions', sending())).body)
      await (await other.app.environment('test')).reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'processing' })
      business.at('2030-01-15 17:01:01')
      await (await other.app.environment('test')).reconcile(0)
      expect(await business.read(payment)).to.include({ status: 'declined', status_code: 'never_sent' })
    })

    it('with a smaller approved amount is voided there, and then declined', async () => {
      const { body, status } = await send({ result: 'approved', amount: 1000, gatewayId: 'g_4' })
      expect(status).to.equal(400)
      expect(objectOf(body.details)).to.include({ status: 'declined', status_code: 'partial_approval' })
      expect(gateway.performed.map(({ type, amount }) => [type, amount])).to.deep.equal([['void', 1000]])
      expect(await exceptions()).to.deep.equal([])
    })

    it('with a smaller approved amount waits until it is voided, after as many attempts as needed', async () => {
      gateway.script({ result: 'approved', amount: 1000, gatewayId: 'g_5' }, 'fails_before', NOT_SENT)
      const { body } = await business.core.send('POST', '/transactions', sending())
      expect(body).to.include({ status: 'processing' })
      await reconcile()
      expect(await business.read(idOf(body))).to.include({ status: 'processing' })
      await reconcile()
      expect(await business.read(idOf(body))).to.include({ status_code: 'partial_approval' })
    })

    it('with a smaller approved amount that cannot be voided creates an exception', async () => {
      gateway.script({ result: 'approved', amount: 1000 }, { result: 'declined', statusCode: 'declined' })
      await business.core.send('POST', '/transactions', sending())
      const [exception, ...more] = await exceptions()
      expect(more).to.deep.equal([])
      expect(exception).to.include({ kind: 'partial_approval', status: 'open', amount: 10 })
    })

    it('with a larger approved amount creates an exception, and the payment is processed', async () => {
      const { body } = await send({ result: 'approved', amount: 3999, gatewayId: 'g_6' })
      expect(body).to.include({ status: 'processed', amount: 29.99 })
      const [exception] = await exceptions()
      expect(exception).to.include({ kind: 'amount_differs', amount: 10, transaction_id: idOf(body) })
      const path = `/admin/exceptions/${idOf(exception ?? {})}/resolve`
      expect((await business.core.send('POST', path, { resolution: 'ignore' })).status).to.equal(400)
      const resolved = await business.core.ok('POST', path, { resolution: 'ignore', reason: 'a tip' })
      expect(resolved).to.include({ status: 'resolved', resolution: 'ignore', reason: 'a tip' })
      expect((await business.core.send('POST', path, { resolution: 'ignore', reason: 'x' })).status).to.equal(
        409,
      )
    })

    it('that allows refunds only after settlement delays them until then', async () => {
      const late = remoteSimulator(simulator, { refundBeforeSettlement: false })
      const other = await business.another(open, { gateway: late })
      const payment = idOf(await pay(other, account, 10))
      const { body } = await other.send('POST', '/transactions', {
        type: 'refund',
        amount: 4,
        ledger: [{ assoc_transaction_id: payment }],
      })
      expect(body).to.include({ status: 'processing' })
      await (await other.app.environment('test')).reconcile(0)
      expect(late.performed.map(({ type }) => type)).to.deep.equal(['sale'])
      await other.ok('POST', '/admin/clock', { by: '1d' })
      await (await other.app.environment('test')).reconcile(0)
      expect(late.performed.map(({ type }) => type)).to.deep.equal(['sale', 'refund'])
      expect(await business.read(idOf(body))).to.include({ status: 'processed' })
    })
  })
})
