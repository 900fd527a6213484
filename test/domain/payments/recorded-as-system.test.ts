import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { GatewayOutcome } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { HOLDERS, keyFor, makeKeys } from '../../gateways/contract/merchant-keys.js'
import { Business } from '../../support/business.js'
import { idOf, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'

describe('the outcome of an operation', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let core: TestCore
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      core = business.core
      account = await business.account({ duplicate_window: 0 })
    })
    afterEach(async () => {
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    const more = (amount: number): GatewayOutcome => ({
      result: 'approved',
      amount,
      gatewayId: `g_${amount}`,
      avs: null,
      cvv: null,
    })
    const payment = (rest: JsonObject = {}): JsonObject => ({
      type: 'payment',
      amount: 10,
      processing_id: account,
      payment_method: card(),
      ...rest,
    })
    const exceptions = async (id: string) =>
      valuesOf(await core.ok('GET', '/admin/exceptions', undefined, { query: `transaction_id=${id}` })).map(
        ({ kind, gateway_id: there }) => `${kind} ${there}`,
      )
    const principalOf = async (credential: string): Promise<Principal> => {
      const holder = await core.app.authenticate(credential)
      if (!holder) throw new Error('The credential is unknown')
      return holder.principal
    }
    const eventsBy = async (id: string) => {
      const handle = core.environment.core
      const rows = await handle.read(({ tx }) =>
        tx.db
          .selectFrom('events')
          .select(['trigger', 'principal_id'])
          .where('processing_id', '=', account)
          .where('principal_id', '=', id)
          .orderBy('id')
          .execute(),
      )
      return rows.map(({ trigger }) => trigger)
    }

    for (const holder of HOLDERS)
      it(`is recorded with its exception, and charged once, for ${holder}`, async () => {
        const keys = await makeKeys(core.app, 'test', holder, account)
        gateway.script(more(1500))
        const principal = await principalOf(keyFor(keys, 'POST', '/transactions', payment()))
        const sent = { principal, idempotencyKey: 'one', query: 'fields=*,gateway_id' }
        const { status, body } = await core.send('POST', '/transactions', payment(), sent)
        expect([status, body.status, body.gateway_id]).to.deep.equal([200, 'processed', 'g_1500'])
        expect(await exceptions(idOf(body))).to.deep.equal(['amount_differs g_1500'])
        const again = await core.send('POST', '/transactions', payment(), sent)
        expect(again.body).to.deep.equal(body)
        // Events caused by the key name the key, even if the system wrote them.
        expect(await eventsBy(principal.id)).to.deep.equal(['payment', 'processed', 'exception'])
      })

    it('is recorded for a capture, a refund and a void, with a key limited to their paths', async () => {
      const { secret_key: secret } = await core.ok('POST', '/admin/keys', {
        processing_ids: [account],
        grants: { transactions: ['POST', 'PUT'] },
      })
      const principal = await principalOf(String(secret))
      const paid = async (status?: string) =>
        idOf(await core.ok('POST', '/transactions', payment(status ? { status } : {}), { principal }))
      const put = async (id: string, status: string) =>
        await core.send('PUT', `/transactions/${id}`, { status }, { principal, query: 'fields=status' })
      const held = await paid('authorized')
      gateway.script(more(1700))
      expect((await put(held, 'processed')).body).to.include({ status: 'processed' })
      expect((await exceptions(held)).map((each) => each.split(' ')[0])).to.deep.equal(['amount_differs'])
      expect((await put(await paid(), 'voided')).body).to.include({ status: 'voided' })
      const refund = { type: 'refund', amount: 4, ledger: [{ assoc_transaction_id: await paid() }] }
      expect((await core.send('POST', '/transactions', refund, { principal })).body).to.include({
        status: 'processed',
      })
    })

    /** Requests a payment, and does something else while the gateway decides. */
    const payDuring = async (principal: Principal, body: JsonObject, meanwhile: () => Promise<unknown>) => {
      gateway.script('answers_later')
      const paying = core.send('POST', '/transactions', body, { principal })
      while (gateway.performed.length === 0) await new Promise(setImmediate)
      await meanwhile()
      gateway.release()
      return await paying
    }

    it('is recorded even if the key is revoked while the gateway decides', async () => {
      const made = await core.ok('POST', '/admin/keys', { processing_ids: [account] })
      const principal = await principalOf(String(made.secret_key))
      const { status, body } = await payDuring(principal, payment(), () =>
        core.ok('DELETE', `/admin/keys/${idOf(made)}`),
      )
      expect([status, body.status]).to.deep.equal([200, 'processed'])
      expect(await business.read(idOf(body))).to.include({ status: 'processed' })
    })

    it('is recorded even if the customer moves to an account that the key cannot see', async () => {
      const customer = await core.ok('POST', '/customers', {
        name: 'Ada Park',
        primary_processing_id: account,
        payment_methods: [{ ...card(), default_payment_method: true }],
      })
      const { secret } = await makeKeys(core.app, 'test', 'a narrowed key', account)
      const principal = await principalOf(secret)
      const elsewhere = await business.account()
      const paid = { type: 'payment', amount: 10, processing_id: account, customer_id: idOf(customer) }
      const { body } = await payDuring(principal, paid, () =>
        core.ok('PUT', `/customers/${idOf(customer)}`, { primary_processing_id: elsewhere }),
      )
      expect(body).to.include({ status: 'processed' })
    })

    it('is found after a crash, and completes the answer of its idempotency key, even with an exception', async () => {
      const { secret } = await makeKeys(core.app, 'test', 'a narrowed key', account)
      const principal = await principalOf(secret)
      gateway.script('times_out_after')
      const sent = { principal, idempotencyKey: 'one' }
      const { body } = await core.send('POST', '/transactions', payment(), sent)
      expect(body).to.include({ status: 'processing' })
      const found = gateway.find
      gateway.find = async (operation, since) => {
        const outcome = await found(operation, since)
        return typeof outcome === 'object' && outcome.result === 'approved'
          ? { ...outcome, amount: 1500 }
          : outcome
      }
      await core.environment.reconcile(0)
      expect(await exceptions(idOf(body))).to.have.length(1)
      const again = await core.send('POST', '/transactions', payment(), sent)
      expect(again.body).to.include({ id: idOf(body), status: 'processed' })
      expect(gateway.performed).to.have.length(1)
    })

    it('does not exist for a refused request, because the gateway is not called', async () => {
      const other = await business.account()
      const { secret } = await makeKeys(core.app, 'test', 'a narrowed key', account)
      const principal = await principalOf(secret)
      const refused = await core.send('POST', '/transactions', payment({ processing_id: other }), {
        principal,
      })
      expect(refused.status).to.be.oneOf([400, 403])
      const foreign = idOf(await core.ok('POST', '/transactions', payment({ processing_id: other })))
      const before = gateway.performed.length
      const ledger = [{ assoc_transaction_id: foreign }]
      const refund = { type: 'refund', amount: 1, ledger }
      expect((await core.send('POST', '/transactions', refund, { principal })).status).to.equal(400)
      const voiding = await core.send('PUT', `/transactions/${foreign}`, { status: 'voided' }, { principal })
      expect(voiding.status).to.equal(404)
      expect(gateway.performed).to.have.length(before)
    })
  })
})
