import { expect } from 'chai'
import type { Credentials, GatewayOperation } from '../../../src/gateways/contract.js'
import { peerRail } from '../../../src/gateways/peer/peer-rail.js'
import { openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { eachCase } from '../../support/each-case.js'
import { rejection } from '../../support/rejection.js'
import { type ScriptedPeer, scriptedPeer } from './scripted-peer.js'

const OPERATION: GatewayOperation = {
  type: 'sale',
  reference: 'txn_ours',
  amount: 1000,
  currency: 'USD',
  method: { type: 'card', number: '4242424242424242' },
}
const AUTHENTIC: JsonObject = {
  id: 'txn_there',
  object: 'transaction',
  type: 'payment',
  status: 'processed',
  amount: 10,
  attrs: { reference: 'txn_ours' },
}
const oddly = (name: string, ...values: readonly Json[]): JsonObject[] =>
  values.map((value) => ({ [name]: value }))
const STATES = ['failed', 'pending_review', '', 'voided', 'rejected', 'error', 'canceled', 'Processed', null]
/** Changes that make an answer about this payment invalid. */
const ODD: readonly JsonObject[] = [
  ...oddly('status', ...STATES, 1, []),
  ...oddly('type', 'refund', 'credit', 'deposit', 'reversal', 'chargeback', 'sale', '', null),
  ...oddly('object', 'error', 'list', 'account', '', null, 5),
  ...oddly('id', null, '', 5, {}, 'acct_1', 'txn_', 'txn_\u0000', 'txn_ 1', `txn_${'x'.repeat(300)}`),
  ...oddly('amount', '10', '10.00', -10, 0, null, 10.001, 1e300, [10]),
  ...oddly('currency', 'EUR', 'usd', 5, null),
  ...oddly('attrs', { reference: 'txn_another' }, {}, null, 'txn_ours'),
]
/** States that a payment may reach later, so that they are valid in a search. */
const LATER = new Set(['voided', 'rejected'])

describe('an unusual answer of a peer', () => {
  let peer: ScriptedPeer
  let http: RailClient
  let credentials: Credentials
  before(async () => {
    peer = await scriptedPeer()
    http = openRailClient({ loopback: true })
    credentials = { environment: 'test', baseUrl: peer.address, secrets: { secret_key: 'test_secret_key_x' } }
  })
  after(async () => {
    await http.close()
    await peer.close()
  })
  const rail = () => peerRail({ http, now: () => 0 })

  it('leaves the outcome of a payment unknown if any field is invalid', async () => {
    await eachCase(ODD, JSON.stringify, async (odd) => {
      peer.answer = () => [200, { ...AUTHENTIC, ...odd }]
      expect((await rejection(rail().perform(OPERATION, credentials))).name).to.equal('UnknownOutcome')
    })
    peer.answer = () => [200, AUTHENTIC]
    expect(await rail().perform(OPERATION, credentials)).to.include({ result: 'approved', amount: 1000 })
  })

  it('makes a search reject if any field is invalid, and never means `never_seen`', async () => {
    const sent = { since: 0 }
    await eachCase(
      ODD.filter(({ status }) => !LATER.has(String(status))),
      JSON.stringify,
      async (odd) => {
        peer.answer = () => [200, { object: 'list', values: [{ ...AUTHENTIC, ...odd }] }]
        expect((await rejection(rail().find(OPERATION, sent, credentials))).name).to.equal('UnknownOutcome')
      },
    )
    const lists: JsonObject[] = [{ object: 'error', values: [] }, { object: 'list' }, { values: {} }]
    for (const body of lists) {
      peer.answer = () => [200, body]
      expect((await rejection(rail().find(OPERATION, sent, credentials))).name).to.equal('UnknownOutcome')
    }
  })

  it('about a payment that has changed since yields its present outcome', async () => {
    const found = async (status: string) => {
      peer.answer = () => [200, { object: 'list', values: [{ ...AUTHENTIC, status }] }]
      return await rail().find(OPERATION, { since: 0 }, credentials)
    }
    expect(await found('rejected')).to.include({ result: 'approved', amount: 1000 })
    expect(await found('voided')).to.include({ result: 'declined', statusCode: 'voided' })
    expect(await found('processing')).to.include({ result: 'pending' })
  })

  it('is an unknown outcome, not a decline, if it has an unknown error or a payment that is not declined', async () => {
    const errors: JsonObject[] = [
      {},
      { error_type: 'Teapot' },
      { error_type: 'TransactionDeclined', details: AUTHENTIC },
    ]
    for (const body of errors) {
      peer.answer = () => [400, body]
      expect((await rejection(rail().perform(OPERATION, credentials))).name).to.equal('UnknownOutcome')
    }
  })

  it('refuses the key by status 401, the merchant by 403, and the merchant or a kind of method by the refused attribute', async () => {
    const refused = async (status: number, body: JsonObject | string) => {
      peer.answer = () => [status, body]
      const outcome = await rail().perform(OPERATION, credentials)
      return outcome.result === 'misconfigured' ? outcome.scope : outcome.result
    }
    const invalid = (details: JsonObject) => ({ error_type: 'InvalidAttributes', details })
    expect(await refused(401, '<html>')).to.equal('gateway')
    expect(await refused(403, '<html>')).to.equal('merchant')
    expect(await refused(404, '<html>')).to.equal('gateway')
    expect(await refused(400, invalid({ processing_id: 'Not found' }))).to.equal('merchant')
    const bank = 'Bank account payments are not enabled for this processing account'
    expect(await refused(400, invalid({ payment_method: bank }))).to.equal('bank_account')
    const debit = 'Debit card payments are not enabled for this processing account'
    expect(await refused(400, invalid({ payment_method: debit }))).to.equal('declined')
  })
})
