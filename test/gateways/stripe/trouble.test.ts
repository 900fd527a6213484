import { expect } from 'chai'
import type { GatewayOperation } from '../../../src/gateways/contract.js'
import { rejection } from '../../support/rejection.js'
import { CHECKED } from '../contract/checked-gateway.js'
import { NOW, StripeCase } from './stripe-case.js'

const PAYMENTS = 'POST /v1/payment_intents'

describe('the rail to Stripe after a fault', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  for (const trouble of ['lost_before', 'lost_after', 'error_before', 'something_else'] as const)
    it(`answers that a payment was not sent if its preparation fails (${trouble})`, async () => {
      for (const call of ['POST /v1/customers', 'POST /v1/payment_methods']) {
        stripe.server.trouble(call, trouble)
        expect(await stripe.perform(stripe.operation())).to.include({ result: 'not_sent' })
      }
      expect(stripe.server.books.intents).to.deep.equal([])
    })

  it('does not know the outcome of a payment after an unexpected answer, and finds it later', async () => {
    const asked = stripe.operation()
    stripe.server.trouble(PAYMENTS, 'something_else')
    expect((await rejection(stripe.perform(asked))).name).to.equal('UnknownOutcome')
    expect(await stripe.find(asked)).to.include({ result: 'approved', amount: 2999 })
  })

  for (const trouble of ['other_payment', 'other_refusal'] as const)
    it(`does not know the outcome of an operation if the answer is about another payment (${trouble})`, async () => {
      const authorized = stripe.operation({ type: 'authorize' })
      const other = await stripe.perform(stripe.operation())
      const before = await stripe.perform(authorized)
      if (other.result !== 'approved' || before.result !== 'approved') throw new Error('Not approved')
      const { reference } = authorized
      const parent = { reference, gatewayId: before.gatewayId ?? null }
      const id = before.gatewayId
      const asked: [string, GatewayOperation][] = [
        [PAYMENTS, stripe.operation()],
        [`POST /v1/payment_intents/${id}/capture`, stripe.operation({ type: 'capture', parent })],
        ['POST /v1/refunds', stripe.operation({ type: 'refund', parent, amount: 100 })],
        [`POST /v1/payment_intents/${id}/cancel`, stripe.operation({ type: 'void', parent })],
      ]
      for (const [call, operation] of asked) {
        stripe.server.trouble(call, trouble)
        expect((await rejection(stripe.perform(operation))).name, call).to.equal('UnknownOutcome')
      }
    })

  it('answers that a payment was not sent if Stripe is busy, has locked the payment, or cannot be reached', async () => {
    for (const trouble of ['too_many', 'locked'] as const) {
      stripe.server.trouble(PAYMENTS, trouble)
      expect(await stripe.perform(stripe.operation())).to.include({ result: 'not_sent' })
    }
    const nowhere = { ...stripe.credentials, baseUrl: 'http://127.0.0.1:1' }
    expect(await stripe.rail.perform(stripe.operation(), nowhere)).to.include({ result: 'not_sent' })
    expect(await stripe.rail.find(stripe.operation(), { since: NOW }, nowhere)).to.equal('cannot_say')
    expect(stripe.server.books.balance).to.equal(0)
  })

  it('answers that it is misconfigured if Stripe does not know the key or the account', async () => {
    const wrong = { ...stripe.credentials, secrets: { secret_key: 'sk_test_no' } }
    expect(await stripe.rail.perform(stripe.operation(), wrong)).to.include({ result: 'misconfigured' })
    const found = stripe.rail.find(stripe.operation(), { since: NOW }, wrong)
    expect(await rejection(found)).to.include({ name: 'RefusedReading', scope: 'gateway' })
    expect(await stripe.perform(stripe.operation({ merchant: 'acct_unknown' }))).to.include({
      result: 'misconfigured',
    })
    expect(
      (await stripe.rail.check?.(CHECKED, wrong))?.map(({ name, state }) => [name, state]),
    ).to.deep.equal([['account', 'failed']])
  })

  it('pays once for one reference, and rejects another amount for the same reference', async () => {
    const asked = stripe.operation()
    await stripe.perform(asked)
    expect(await stripe.perform(asked)).to.include({ result: 'approved' })
    expect(stripe.server.books.balance).to.equal(2999)
    const token = {
      type: 'card',
      number: '',
      token: `cus_1/${stripe.server.books.intents[0]?.payment_method}`,
    } as const
    const other = stripe.perform({ ...asked, amount: 3000, method: token })
    expect((await rejection(other)).name).to.equal('UnknownOutcome')
    expect(stripe.server.books.balance).to.equal(2999)
  })

  it('finds a payment behind many others in the list', async () => {
    const asked = stripe.operation()
    await stripe.perform(asked)
    const [first] = stripe.server.books.intents
    for (let more = 0; more < 250 && first; more += 1)
      stripe.server.books.intents.push({
        ...first,
        id: `pi_more${more}`,
        metadata: { reference: `other_${more}` },
      })
    stripe.server.requests.length = 0
    expect(await stripe.find(asked)).to.include({ result: 'approved' })
    expect(stripe.calls()).to.deep.equal([
      ...Array(3).fill('GET payment_intents'),
      `GET payment_intents/${first?.id}`,
    ])
  })

  it('reads the list once to locate many payments of one day, and again for another day', async () => {
    const [first, second, missing, later] = [1, 2, 3, 4].map(() => stripe.operation())
    if (!first || !second || !missing || !later) throw new Error('There are four')
    await stripe.perform(first)
    await stripe.perform(second)
    stripe.server.requests.length = 0
    const sent = [first, second, missing].map((operation) => ({ operation, since: NOW }))
    const apart = { operation: later, since: NOW + 86_400_000 }
    const located = await stripe.rail.locate?.([apart, ...sent], stripe.credentials)
    const [one, other] = stripe.server.books.intents
    expect(located).to.deep.equal(
      new Map<string, unknown>([
        [second.reference, { gatewayId: other?.id }],
        [first.reference, { gatewayId: one?.id }],
        [missing.reference, 'never_seen'],
        [later.reference, 'never_seen'],
      ]),
    )
    expect(stripe.calls()).to.deep.equal(Array(2).fill('GET payment_intents'))
  })

  it('queries a payment by its id if the id is known', async () => {
    const { gatewayId, parent } = await stripe.taken()
    const asked = stripe.operation({ reference: parent.reference })
    expect(await stripe.rail.find(asked, { since: NOW, gatewayId }, stripe.credentials)).to.include({
      result: 'approved',
      gatewayId,
    })
    expect(stripe.calls()).to.deep.equal([`GET payment_intents/${gatewayId}`])
  })
})
