import { expect } from 'chai'
import { operator } from '../../../src/engine/core/request/principal.js'
import type { GatewayCall } from '../../../src/gateways/registry/connected-gateway.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { AuthorizeNetServer, LOGIN, SIGNATURE_KEY, TRANSACTION_KEY } from './authorizenet-server.js'

/** Minutes after which what was never listed never arrived. */
const HORIZON = 11 * 60_000

const FIELDS = '*,gateway_id,auth_code,gateway_code'

/** Live payments that Authorize.Net takes over real HTTP. */
describe('live payments by authorizenet', () => {
  onEachDatabase((open) => {
    let server: AuthorizeNetServer
    let ours: TestCore
    let account: string
    const calls: GatewayCall[] = []
    let log = ''

    const live = async (method: Method, path: string, body?: Json) => {
      const core = await ours.app.core('live')
      const query: [string, string][] = path === '/transactions' ? [['fields', FIELDS]] : []
      return await core.handle({ method, path, body, query, principal: operator })
    }
    const ok = async (method: Method, path: string, body?: Json): Promise<JsonObject> => {
      const answer = await live(method, path, body)
      if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    let price = 29
    /** Each of another amount, which `price` is then: the same again would be a repeated attempt. */
    const pay = (more: object = {}) =>
      live('POST', '/transactions', {
        ...{ type: 'payment', amount: ++price, processing_id: account, payment_method: card() },
        ...more,
      })
    const statusOf = async (id: string) => (await ok('GET', `/transactions/${id}`)).status
    const takeCalls = () => calls.splice(0).map(({ call, outcome }) => `${call} ${outcome}`)
    const reconcile = async () => {
      await ours.app.reconcile('live', 0)
    }

    before(async () => {
      server = new AuthorizeNetServer()
      const address = await server.start()
      open.atEnd(() => server.stop())
      const clock = { now: () => server.time++ }
      const onGatewayCall = (call: GatewayCall) => {
        calls.push(call)
        log += JSON.stringify(call)
      }
      ours = await openCore(open, { gatewayLoopback: true, clock, onGatewayCall })
      account = idOf(await ok('POST', '/processing_accounts', processingAccount()))
      await ok('PUT', `/processing_accounts/${account}`, { processing: { status: 'active' } })
      const credentials = {
        ...{ login_id: LOGIN, transaction_key: TRANSACTION_KEY, signature_key: SIGNATURE_KEY },
      }
      const gateway = { name: 'cards', kind: 'authorizenet', base_url: address, credentials }
      const added = await ok('POST', '/admin/gateways', gateway)
      expect(await ok('POST', `/admin/gateways/${idOf(added)}/test`)).to.include({ account: 'Corner Shop' })
      await ok('PUT', '/admin/gateway_routes', { default: 'cards' })
    })
    beforeEach(takeCalls)

    it('are taken and voided', async () => {
      const before = server.books.taken
      const { status, body } = await pay()
      expect(status).to.equal(200)
      expect(body).to.include({ status: 'processed', auth_code: 'HH5414', gateway_code: '1' })
      expect(server.books.taken - before).to.equal(100 * price)
      const voided = await ok('PUT', `/transactions/${idOf(body)}`, { status: 'voided' })
      expect(voided).to.include({ status: 'voided' })
      expect(server.books.taken).to.equal(before)
      expect(takeCalls()).to.deep.equal(['sale approved', 'void approved'])
    })

    it('are authorized and captured', async () => {
      const { body } = await pay({ status: 'authorized' })
      const before = server.books.taken
      expect(await ok('PUT', `/transactions/${idOf(body)}`, { status: 'processed' })).to.include({
        status: 'processed',
      })
      expect(server.books.taken - before).to.equal(100 * price)
      expect(takeCalls()).to.deep.equal(['authorize approved', 'capture approved'])
    })

    it('are declined with our code', async () => {
      server.books.reasons.set('0005', '8')
      const { status, body } = await pay({ payment_method: card('378282246310005') })
      expect(status).to.equal(400)
      expect(objectOf(body.details)).to.include({ status: 'declined', status_code: 'card_expired' })
    })

    it('are given back when only a part is approved', async () => {
      const before = server.books.taken
      server.books.reasons.set('0005', '295')
      const { body } = await pay({ payment_method: card('378282246310005') })
      expect(objectOf(body.details)).to.include({ status: 'declined', status_code: 'partial_approval' })
      expect(server.books.taken).to.equal(before)
    })

    it('whose answer is lost are found, and are taken once', async () => {
      const before = server.books.taken
      server.faults.push('lost_after')
      const { status, body } = await pay()
      expect([status, body.status]).to.deep.equal([200, 'processing'])
      await reconcile()
      expect(await statusOf(idOf(body))).to.equal('processed')
      expect(server.books.taken - before).to.equal(100 * price)
    })

    it('that arrive late stay open until the horizon, and are found within it', async () => {
      const before = server.books.taken
      server.faults.push('arrives_late', 'lost_before')
      const [late, lost] = [(await pay()).body, (await pay()).body]
      await reconcile()
      expect([await statusOf(idOf(late)), await statusOf(idOf(lost))]).to.deep.equal([
        'processing',
        'processing',
      ])
      server.release()
      server.time += HORIZON
      await reconcile()
      expect([await statusOf(idOf(late)), await statusOf(idOf(lost))]).to.deep.equal([
        'processed',
        'declined',
      ])
      expect(server.books.taken - before).to.equal(100 * (price - 1))
    })

    it('held for review are decided by the merchant', async () => {
      server.books.reasons.set('0005', '252')
      const { body } = await pay({ payment_method: card('378282246310005') })
      expect(body).to.include({ status: 'processing' })
      const held = server.books.transactions.get(String(body.gateway_id))
      if (!held) throw new Error('It is not at the gateway')
      held.status = 'failedReview'
      await reconcile()
      expect(await statusOf(idOf(body))).to.equal('declined')
    })

    it('are refunded once they are settled', async () => {
      const { body } = await pay()
      const refund = { type: 'refund', amount: 10, ledger: [{ assoc_transaction_id: idOf(body) }] }
      const waiting = await ok('POST', '/transactions', refund)
      expect(waiting).to.include({ status: 'processing' })
      await reconcile()
      expect(await statusOf(idOf(waiting))).to.equal('processing')
      // Nothing is sent before.
      expect(takeCalls().filter((call) => call.startsWith('refund'))).to.deep.equal([])
    })

    it('leave no number, code or key in a log line', () => {
      expect(log).to.include('"call":"sale"')
      expect(log).to.not.match(/4242424242424242|378282246310005|346HZ32z3fP4hTG2/)
    })
  })
})
