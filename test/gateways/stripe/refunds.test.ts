import { expect } from 'chai'
import { StripeCase } from './stripe-case.js'

describe('a payment that Stripe has taken', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it('is refunded in parts, up to its amount, with our references', async () => {
    const { parent, gatewayId } = await stripe.taken()
    const part = stripe.changing('refund', parent, 1000)
    const outcome = await stripe.perform(part)
    expect(outcome).to.include({ result: 'approved', amount: 1000 })
    expect(outcome).to.have.property('gatewayId').that.matches(/^re_/)
    // Only 1,999 cents are left to refund. This decline is about the amount, not about the account.
    expect(await stripe.perform(stripe.changing('refund', parent, 2000))).to.include({
      result: 'declined',
      statusCode: 'declined',
      code: 'invalid_request_error',
    })
    expect(await stripe.perform(stripe.changing('refund', parent, 1999))).to.include({ result: 'approved' })
    expect(await stripe.perform(stripe.changing('refund', parent, 1))).to.include({
      result: 'declined',
      statusCode: 'already_refunded',
      code: 'charge_already_refunded',
    })
    expect(stripe.server.books.balance).to.equal(0)
    const listed = []
    for await (const found of stripe.rail.operations?.(0, stripe.credentials) ?? []) listed.push(found)
    expect(
      listed.map(({ type, amount, reference, state }) => [type, amount, reference, state]),
    ).to.deep.equal([
      ['sale', 2999, parent.reference, 'captured'],
      ['refund', 1999, listed[1]?.reference, undefined],
      ['refund', 1000, part.reference, undefined],
    ])
    expect(listed[2]).to.include({ parent: gatewayId })
    expect(Object.fromEntries(stripe.server.requests[0]?.form ?? [])).to.deep.equal({
      amount: '1000',
      payment_intent: gatewayId,
      'metadata[reference]': part.reference,
    })
  })
})
