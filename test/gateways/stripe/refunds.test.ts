import { expect } from 'chai'
import { rejection } from '../../support/rejection.js'
import { StripeCase } from './stripe-case.js'

describe('a payment that Stripe has taken', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it('is given back in parts, no more than it was, under our references', async () => {
    const { parent, gatewayId } = await stripe.taken()
    const part = stripe.changing('refund', parent, 1000)
    const outcome = await stripe.perform(part)
    expect(outcome).to.include({ result: 'approved', amount: 1000 })
    expect(outcome).to.have.property('gatewayId').that.matches(/^re_/)
    expect(await stripe.perform(stripe.changing('refund', parent, 1999))).to.include({ result: 'approved' })
    expect(await stripe.perform(stripe.changing('refund', parent, 1))).to.include({
      ...{ result: 'declined', statusCode: 'already_refunded', code: 'charge_already_refunded' },
    })
    expect(stripe.server.books.balance).to.equal(0)
    expect(Object.fromEntries(stripe.server.requests[0]?.form ?? [])).to.deep.equal({
      ...{ amount: '1000', payment_intent: gatewayId, 'metadata[reference]': part.reference },
    })
  })

  it('finds a refund whose answer was lost, and none that was never made', async () => {
    const { parent } = await stripe.taken()
    const asked = stripe.changing('refund', parent, 1000)
    expect(await stripe.find(asked)).to.equal('never_seen')
    stripe.server.trouble('POST /v1/refunds', 'lost_after')
    await rejection(stripe.perform(asked))
    expect(await stripe.find(asked)).to.include({ result: 'approved', amount: 1000 })
    expect(await stripe.find(stripe.changing('refund', parent, 1000))).to.equal('never_seen')
    expect(stripe.server.books.refunds).to.have.lengthOf(1)
  })

  it('is voided by giving all of it back', async () => {
    const { parent } = await stripe.taken()
    const asked = stripe.changing('void', parent)
    expect(await stripe.find(asked)).to.equal('never_seen')
    expect(await stripe.perform(asked)).to.include({ result: 'approved', amount: 2999 })
    expect(await stripe.find(asked)).to.include({ result: 'approved' })
    expect(stripe.calls().at(-2)).to.match(/^GET payment_intents/)
    expect(stripe.server.books.balance).to.equal(0)
  })
})
