import { expect } from 'chai'
import type { Credentials, GatewayMethod, GatewayOperation } from '../../../src/gateways/contract.js'
import { stripeRail } from '../../../src/gateways/stripe/stripe-rail.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import { rejection } from '../../support/rejection.js'
import { type ScriptedPeer, scriptedPeer } from '../peer/scripted-peer.js'
import { bank, card, NOW } from './stripe-case.js'

const RAW_CARDS =
  'Sending credit card numbers directly to the Stripe API is generally unsafe. To enable raw card data APIs, see the docs.'
const INTENT = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  currency: 'usd',
  amount: 2999,
  amount_received: 2999,
  amount_capturable: 0,
  capture_method: 'automatic',
  customer: 'cus_1',
  payment_method: 'pm_1',
  latest_charge: null,
  last_payment_error: null,
  metadata: { reference: 'txn_1' },
}
const token: GatewayMethod = { type: 'card', number: '', token: 'cus_1/pm_1' }

describe('an answer of Stripe', () => {
  let server: ScriptedPeer
  let http: RailClient
  let credentials: Credentials
  before(async () => {
    server = await scriptedPeer()
    http = openRailClient({ loopback: true })
    credentials = { environment: 'test', baseUrl: server.address, secrets: { secret_key: 'sk_test_x' } }
  })
  after(async () => {
    await http.close()
    await server.close()
  })
  const rail = () => stripeRail({ http, now: () => NOW })
  const operation = (method: GatewayMethod): GatewayOperation => ({
    type: 'sale',
    reference: 'txn_1',
    amount: 2999,
    currency: 'USD',
    method,
  })
  const scopeOf = async (method: GatewayMethod, status: number, error: { [name: string]: string }) => {
    server.answer = () => [status, { error: { type: 'invalid_request_error', message: 'No', ...error } }]
    const outcome = await rail().perform(operation(method), credentials)
    return outcome.result === 'misconfigured' ? outcome.scope : outcome.result
  }

  it('refuses the key, the account, or a kind of method, by status and code', async () => {
    expect(await scopeOf(card, 401, {})).to.equal('gateway')
    expect(await scopeOf(card, 400, { code: 'api_key_expired' })).to.equal('gateway')
    expect(await scopeOf(card, 403, {})).to.equal('merchant')
    expect(await scopeOf(card, 400, { code: 'account_invalid' })).to.equal('merchant')
    expect(await scopeOf(card, 400, { code: 'testmode_charges_only' })).to.equal('merchant')
    const unactivated = { code: 'payment_method_unactivated', param: 'payment_method' }
    expect(await scopeOf(bank, 400, unactivated)).to.equal('bank_account')
    expect(await scopeOf(token, 400, unactivated)).to.equal('card')
    expect(await scopeOf(card, 402, { message: RAW_CARDS })).to.equal('card_number')
    expect(await scopeOf(token, 400, {})).to.equal('merchant')
  })

  it('may refuse a query, which rejects with `RefusedReading`', async () => {
    server.answer = () => [403, { error: { type: 'invalid_request_error', message: 'No permission' } }]
    const find = rail().find(operation(card), { since: NOW }, credentials)
    expect(await rejection(find)).to.include({ name: 'RefusedReading', scope: 'merchant' })
    const settlements = rail().settlements?.(null, credentials)
    expect(await rejection(settlements ?? Promise.resolve())).to.include({ name: 'RefusedReading' })
  })

  it('leaves the outcome of a payment unknown if its state, amount or currency is invalid', async () => {
    const odd = [
      { status: 'refunding' },
      { status: 'constructor' },
      { amount_received: '2999' },
      { amount_received: -1 },
      { currency: 'eur' },
      { object: 'charge' },
      { metadata: {} },
    ]
    for (const each of odd) {
      server.answer = () => [200, { ...INTENT, ...each }]
      const asked = rail().perform(operation(token), credentials)
      expect((await rejection(asked)).name, JSON.stringify(each)).to.equal('UnknownOutcome')
    }
    server.answer = () => [200, INTENT]
    expect(await rail().perform(operation(token), credentials)).to.include({ result: 'approved' })
  })

  it('with a dispute in an unknown state does not count as a chargeback', async () => {
    const notice = { id: 'evt_1', type: 'x', about: 'dispute', gatewayId: 'dp_1', raw: '{}' } as const
    const dispute = { id: 'dp_1', object: 'dispute', amount: 1, currency: 'usd', payment_intent: INTENT }
    server.answer = () => [200, { ...dispute, status: 'reopened' }]
    const read = rail().read?.(notice, credentials)
    expect((await rejection(read ?? Promise.resolve())).message).to.include('reopened')
    server.answer = () => [200, { ...dispute, status: 'needs_response' }]
    const notices = (await rail().read?.(notice, credentials)) ?? []
    expect(notices.map(({ kind }) => kind)).to.deep.equal(['chargeback', 'dispute'])
  })
})
