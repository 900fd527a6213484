import { expect } from 'chai'
import { rejection } from '../../support/rejection.js'
import { StripeCase } from './stripe-case.js'

const PAYMENTS = 'POST /v1/payment_intents'

describe('an authorization at Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it('that was captured meanwhile is not voided', async () => {
    const { parent, gatewayId } = await stripe.taken({ type: 'authorize' })
    stripe.server.books.capture(gatewayId, new Map())
    expect(await stripe.perform(stripe.changing('void', parent))).to.include({
      result: 'declined',
      statusCode: 'already_settled',
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
