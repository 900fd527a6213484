import { expect } from 'chai'
import { rejection } from '../../support/rejection.js'
import { StripeCase } from './stripe-case.js'

const PAYMENTS = 'POST /v1/payment_intents'

describe('an authorization at Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it('is captured, and said to be when the answer is lost', async () => {
    const { parent, gatewayId } = await stripe.taken({ type: 'authorize' })
    const asked = stripe.changing('capture', parent, 1500)
    expect(await stripe.find(asked)).to.equal('never_seen')
    stripe.server.trouble(`POST /v1/payment_intents/${gatewayId}/capture`, 'lost_after')
    await rejection(stripe.perform(asked))
    expect(await stripe.find(asked)).to.include({ result: 'approved', amount: 1500, gatewayId })
    expect(stripe.server.books.balance).to.equal(1500)
    expect(stripe.server.requests[1]?.form.get('amount_to_capture')).to.equal('1500')
  })

  it('is voided, after which it is not captured', async () => {
    const { parent } = await stripe.taken({ type: 'authorize' })
    const asked = stripe.changing('void', parent)
    expect(await stripe.find(asked)).to.equal('never_seen')
    expect(await stripe.perform(asked)).to.include({ result: 'approved', amount: 2999 })
    expect(await stripe.find(asked)).to.include({ result: 'approved' })
    expect(await stripe.perform(stripe.changing('capture', parent))).to.include({
      ...{ result: 'declined', statusCode: 'authorization_expired', isHard: true },
    })
  })

  it('that was captured meanwhile is not voided', async () => {
    const { parent, gatewayId } = await stripe.taken({ type: 'authorize' })
    stripe.server.books.capture(gatewayId, new Map())
    expect(await stripe.perform(stripe.changing('void', parent))).to.include({
      ...{ result: 'declined', statusCode: 'already_settled' },
    })
  })

  it('is found by its reference where its id never came', async () => {
    const asked = stripe.operation({ type: 'authorize' })
    stripe.server.trouble(PAYMENTS, 'lost_after')
    await rejection(stripe.perform(asked))
    const capture = stripe.changing('capture', { reference: asked.reference })
    expect(await stripe.perform(capture)).to.include({ result: 'approved', amount: 2999 })
    expect(await stripe.perform(stripe.changing('capture', { reference: 'txn_no' }))).to.include({
      result: 'not_sent',
    })
  })
})
