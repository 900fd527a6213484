import { expect } from 'chai'
import { rejection } from '../../support/rejection.js'
import { StripeCase } from './stripe-case.js'

const PAYMENTS = 'POST /v1/payment_intents'

describe('an authorization at Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it('is not voided if someone has captured it before', async () => {
    const { parent, gatewayId } = await stripe.taken({ type: 'authorize' })
    stripe.server.books.capture(gatewayId, new Map())
    expect(await stripe.perform(stripe.changing('void', parent))).to.include({
      result: 'declined',
      statusCode: 'already_settled',
    })
  })

  it('is found with the captured part, and its released rest does not count as a refund', async () => {
    const { parent, gatewayId } = await stripe.taken({ type: 'authorize' })
    const part = { ...stripe.changing('capture', parent), amount: 1000, isPart: true }
    expect(await stripe.perform(part)).to.include({ result: 'approved', amount: 1000 })
    expect(await stripe.find(part)).to.include({ result: 'approved', amount: 1000 })
    expect(stripe.server.books.balance).to.equal(1000)
    const [release] = stripe.server.books.releases
    expect(release).to.include({ amount: 1999, payment_intent: gatewayId })
    const about = { id: 'evt_1', type: 'refund.created', about: 'operation', raw: '{}' } as const
    const read = async (id: string) =>
      await stripe.rail.read?.({ ...about, gatewayId: id }, stripe.credentials)
    expect(await read(release?.id ?? '')).to.deep.equal([])
    const [captured] = (await read(gatewayId)) ?? []
    expect(captured).to.include({ state: 'captured', amount: 1000 })
    const listed: string[] = []
    for await (const { type } of stripe.rail.operations?.(0, stripe.credentials) ?? []) listed.push(type)
    expect(listed).to.deep.equal(['authorize'])
  })

  it('is captured by its reference if the answer with its id was lost', async () => {
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
