import { expect } from 'chai'
import { operator } from '../../../src/engine/core/request/principal.js'
import { peerRail } from '../../../src/gateways/peer/peer-rail.js'
import type { GatewayCall } from '../../../src/gateways/registry/connected-gateway.js'
import { openRailClient } from '../../../src/platform/network/rail-client.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'

const DECLINED = '4111111111119904'

/** Live payments of one payctl, which another one takes over real HTTP. */
describe('a payctl that is the gateway of another', () => {
  onEachDatabase((open) => {
    let peer: HttpService
    let theirs: TestCore
    let ours: TestCore
    let account: string
    let gateway: string
    const calls: GatewayCall[] = []

    const live = async (method: Method, path: string, body?: Json, query = '') => {
      const core = await ours.app.core('live')
      const pairs = query === '' ? [] : query.split('&').map((part) => part.split('=', 2) as [string, string])
      return await core.handle({ method, path, body, query: pairs, principal: operator })
    }
    const ok = async (method: Method, path: string, body?: Json, query?: string): Promise<JsonObject> => {
      const answer = await live(method, path, body, query)
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const payment = (more: object = {}) => ({
      ...{ type: 'payment', amount: 29.99, processing_id: account, payment_method: card() },
      ...more,
    })
    const atPeer = async () =>
      valuesOf(await theirs.ok('GET', '/transactions', undefined, { query: 'order_by=id' }))
    const takeCalls = () => calls.splice(0).map(({ call, outcome }) => `${call} ${outcome}`)

    before(async () => {
      const place = await open.migrated()
      peer = await httpService(place)
      open.atEnd(() => peer.stop())
      theirs = await openCore(open, { ...place })
      const secret_key = await peer.key({})
      ours = await openCore(open, { gatewayLoopback: true, onGatewayCall: (call) => calls.push(call) })
      account = await liveAccount(ours)
      expect((await live('POST', '/transactions', payment())).body.error_description).to.match(
        /payctl gateways add/,
      )
      const added = await ok('POST', '/admin/gateways', {
        ...{ name: 'up', kind: 'peer', base_url: peer.address, credentials: { secret_key } },
      })
      expect(JSON.stringify(added)).to.not.include(secret_key)
      gateway = idOf(added)
      expect(await ok('POST', `/admin/gateways/${gateway}/test`)).to.include({ problem: null })
      await ok('PUT', '/admin/gateway_routes', { default: 'up' })
      takeCalls()
    })

    it('takes a payment, voids it, and both say so', async () => {
      const before = (await atPeer()).length
      const taken = await ok(
        'POST',
        '/transactions',
        payment({ order_number: 'A-1' }),
        'fields=*,gateway,gateway_id',
      )
      expect(taken).to.include({ status: 'processed', gateway: 'up' })
      const [there, ...more] = (await atPeer()).slice(before)
      expect(more).to.deep.equal([])
      expect(there).to.include({
        id: taken.gateway_id,
        amount: 29.99,
        status: 'processed',
        order_number: 'A-1',
      })
      expect(objectOf(there?.attrs)).to.deep.equal({ reference: idOf(taken) })
      expect(await ok('PUT', `/transactions/${idOf(taken)}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
      expect((await atPeer()).at(-1)).to.include({ id: taken.gateway_id, status: 'voided' })
      expect(takeCalls()).to.deep.equal(['sale approved', 'void approved'])
    })

    it('authorizes, captures, and refunds in part', async () => {
      const held = idOf(await ok('POST', '/transactions', payment({ status: 'authorized' })))
      expect(await ok('PUT', `/transactions/${held}`, { status: 'processed' })).to.include({
        status: 'processed',
      })
      const refund = { type: 'refund', amount: 10, ledger: [{ assoc_transaction_id: held }] }
      expect(await ok('POST', '/transactions', refund)).to.include({ status: 'processed', amount: 10 })
      expect(takeCalls()).to.deep.equal(['authorize approved', 'capture approved', 'refund approved'])
      expect(
        (await atPeer()).slice(-2).map(({ type, status, amount }) => [type, status, amount]),
      ).to.deep.equal([
        ['payment', 'processed', 29.99],
        ['refund', 'processed', 10],
      ])
    })

    it('declines as the peer does', async () => {
      const { status, body } = await live(
        'POST',
        '/transactions',
        payment({ payment_method: card(DECLINED) }),
      )
      expect(status).to.equal(400)
      expect(objectOf(body.details)).to.include({ status: 'declined', status_code: 'insufficient_bal' })
      expect(takeCalls()).to.deep.equal(['sale declined'])
    })

    it('takes nothing while it is paused, and again when it is resumed', async () => {
      await ok('POST', `/admin/gateways/${gateway}/pause`)
      const body = payment({ amount: 31 })
      const refused = await live('POST', '/transactions', body)
      expect(refused.status).to.equal(503)
      expect(refused.headers).to.have.property('Retry-After')
      await ok('POST', `/admin/gateways/${gateway}/resume`)
      expect(await ok('POST', '/transactions', body)).to.include({ status: 'processed' })
      takeCalls()
    })

    it('refuses a key that it does not know, and is left alone until that is mended', async () => {
      const wrong = await ok('POST', '/admin/gateways', {
        ...{ name: 'wrong', kind: 'peer', base_url: peer.address },
        credentials: { secret_key: 'test_secret_key_no' },
      })
      const path = `/admin/gateways/${idOf(wrong)}`
      expect((await live('POST', `${path}/test`)).status).to.equal(400)
      await ok('PUT', '/admin/gateway_routes', { default: 'wrong' })
      takeCalls()
      const body = payment({ amount: 32 })
      expect((await live('POST', '/transactions', body)).status).to.equal(503)
      expect((await live('POST', '/transactions', body)).status).to.equal(503)
      expect(takeCalls()).to.deep.equal(['sale misconfigured', 'sale not_sent'])
      await ok('PUT', '/admin/gateway_routes', { default: 'up' })
      expect(await ok('DELETE', path)).to.include({ name: 'wrong' })
    })

    it('hears of a chargeback at the peer, once, by asking and by its notifications', async () => {
      const taken = idOf(await ok('POST', '/transactions', payment({ amount: 33 })))
      const { gateway_id: there } = await ok('GET', `/transactions/${taken}`, undefined, 'fields=gateway_id')
      await theirs.ok('POST', '/admin/simulate', { event: 'chargeback', transaction_id: there ?? null })
      await ours.app.reconcile('live', 0)
      const rejected = { status: 'rejected', status_code: 'chargeback' }
      expect(await ok('GET', `/transactions/${taken}`)).to.include(rejected)
      const said = {
        id: 'evt_1',
        trigger: 'reject',
        triggered_on: { id: there ?? null, object: 'transaction' },
      }
      const receive = (id: string, text: string) =>
        ours.app.receiveNotification({ id, headers: {}, body: Buffer.from(text) })
      expect(await receive(gateway, JSON.stringify(said))).to.equal('stored')
      expect(await receive(gateway, JSON.stringify(said))).to.equal('stored')
      expect(await receive(gateway, 'nonsense')).to.equal('forged')
      expect(await receive('gw_nothing', JSON.stringify(said))).to.equal('unknown')
      await ours.app.reconcile('live', 0)
      const stored = valuesOf(await ok('GET', '/admin/gateway_notifications'))
      expect(stored.map(({ type, status }) => `${type} ${status}`)).to.have.members([
        'chargeback handled',
        'reject handled',
      ])
      const charged = valuesOf(await ok('GET', '/transactions', undefined, 'type=chargeback'))
      expect(charged).to.have.length(1)
      takeCalls()
    })

    it('finds what was done when the answer is lost, by its reference', async () => {
      const http = openRailClient({ loopback: true })
      open.atEnd(() => http.close())
      const rail = peerRail({ http, now: () => 0 })
      const secrets = { secret_key: await peer.key({}) }
      const credentials = { environment: 'test', baseUrl: peer.address, secrets } as const
      const sale = { type: 'sale', reference: 'txn_lost', amount: 1234, currency: 'USD' } as const
      const method = { type: 'card', number: '4242424242424242', expiry: '12/39' } as const
      expect(await rail.find(sale, { since: 0 }, credentials)).to.equal('never_seen')
      const outcome = await rail.perform({ ...sale, method }, credentials)
      expect(outcome).to.include({ result: 'approved', amount: 1234 })
      expect(await rail.find(sale, { since: 0 }, credentials)).to.deep.equal(outcome)
      const parent = { reference: 'txn_lost', gatewayId: null }
      const voiding = { ...sale, type: 'void', reference: 'op_1', parent } as const
      expect(await rail.find(voiding, { since: 0 }, credentials)).to.equal('never_seen')
      await rail.perform(voiding, credentials)
      expect(await rail.find(voiding, { since: 0 }, credentials)).to.include({ result: 'approved' })
    })
  })
})

/** A processing account in the live environment that may take payments. */
async function liveAccount({ app }: TestCore): Promise<string> {
  const core = await app.core('live')
  const send = async (method: Method, path: string, body: Json) => {
    const answer = await core.handle({ method, path, body, principal: operator })
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const id = idOf(await send('POST', '/processing_accounts', processingAccount()))
  await send('PUT', `/processing_accounts/${id}`, { processing: { status: 'active' } })
  return id
}
