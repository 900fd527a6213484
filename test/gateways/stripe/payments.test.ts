import { expect } from 'chai'
import type { GatewayMethod, GatewayOperation } from '../../../src/gateways/contract.js'
import { bank, card, StripeCase } from './stripe-case.js'

describe('a payment by the rail to Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  it("is made after its payment method, with our idempotency keys, in the pinned version of Stripe's API", async () => {
    const method = { ...card, holder: 'Ada', street: '1 Main', postalCode: '12345', country: 'US' }
    const asked = stripe.operation({
      method,
      orderNumber: 'A-1',
      refNumber: 'K7QM',
      descriptor: 'ADA*<SHOP>',
    })
    expect(await stripe.perform(asked)).to.deep.include({
      result: 'approved',
      amount: 2999,
      authCode: '123456',
      networkId: 'MCC123456789',
      avs: 'street_and_zip',
      cvv: 'match',
      code: 'approved_by_network',
    })
    expect(stripe.calls()).to.deep.equal(['POST customers', 'POST payment_methods', 'POST payment_intents'])
    const { reference } = asked
    const [customer, made, paid] = stripe.server.requests
    expect([customer, made, paid].map((sent) => sent?.headers['idempotency-key'])).to.deep.equal([
      `${reference}-customer`,
      `${reference}-method`,
      reference,
    ])
    for (const { headers } of stripe.server.requests) {
      expect(headers['stripe-version']).to.equal('2026-10-28.endive')
      expect(Object.keys(headers).filter((name) => name.startsWith('x-stripe'))).to.deep.equal([])
    }
    expect(Object.fromEntries(paid?.form ?? [])).to.deep.include({
      amount: '2999',
      currency: 'usd',
      confirm: 'true',
      capture_method: 'automatic',
      'allowed_payment_method_types[0]': 'card',
      setup_future_usage: 'off_session',
      'metadata[reference]': reference,
      'metadata[order_number]': 'A-1',
      'metadata[ref_number]': 'K7QM',
      statement_descriptor_suffix: 'ADA  SHOP',
    })
    expect([...(paid?.form.keys() ?? [])].some((name) => name.startsWith('card'))).to.equal(false)
  })

  const declines: readonly (readonly [number: string, statusCode: string, code: string, isHard?: true])[] = [
    ['4000000000000002', 'general_decline', 'generic_decline'],
    ['4000000000009995', 'insufficient_bal', 'insufficient_funds'],
    ['4000000000009987', 'card_lost', 'lost_card', true],
    ['4000000000009979', 'card_stolen', 'stolen_card', true],
    ['4000000000000069', 'card_expired', 'expired_card', true],
    ['4000000000000127', 'invalid_card_code', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error', 'processing_error'],
    ['4000000000006975', 'exceeded_limit', 'card_velocity_exceeded'],
    ['4100000000000019', 'suspicious_activity', 'fraudulent', true],
    ['4242424242424241', 'invalid_card_number', 'incorrect_number', true],
  ]
  for (const [number, statusCode, code, isHard] of declines) {
    it(`is declined with ${statusCode} for the test number of ${code}`, async () => {
      const asked = stripe.operation({ method: { ...card, number } })
      const outcome = await stripe.perform(asked)
      expect(outcome).to.deep.include({ result: 'declined', statusCode, code, ...(isHard && { isHard }) })
      expect('isHard' in outcome).to.equal(isHard === true)
      expect(stripe.server.books.balance).to.equal(0)
      const isMade = stripe.server.books.intents.length > 0
      expect(await stripe.find(asked)).to.deep.equal(isMade ? outcome : 'never_seen')
    })
  }

  it("has the bank's results for address and card code", async () => {
    const checked = async (more: Partial<GatewayMethod>) => {
      const outcome = await stripe.perform(
        stripe.operation({ method: { ...card, cardCode: undefined, ...more } }),
      )
      return 'avs' in outcome ? [outcome.avs, outcome.cvv] : outcome
    }
    expect(await checked({})).to.deep.equal([null, null])
    expect(await checked({ cardCode: '999' })).to.deep.equal([null, 'no_match'])
    expect(await checked({ street: '1 Main', postalCode: '99999' })).to.deep.equal(['street', null])
    expect(await checked({ street: '1 Wrong', postalCode: '12345' })).to.deep.equal(['zip', null])
    expect(await checked({ street: '1 Wrong', postalCode: '99999' })).to.deep.equal(['no_match', null])
    expect(await checked({ postalCode: '12345' })).to.deep.equal(['zip', null])
  })

  it('requires authentication if the payer is online, and is declined otherwise', async () => {
    const method = { ...card, number: '4000002760003184' }
    const asked = stripe.operation({ method })
    expect(await stripe.perform(asked)).to.include({ result: 'action', code: 'requires_action' })
    expect(await stripe.find(asked)).to.include({ result: 'action' })
    for (const initiator of ['consent', 'merchant'] as const)
      expect(await stripe.perform(stripe.operation({ method, initiator }))).to.include({
        result: 'declined',
        statusCode: 'authentication_required',
      })
    expect(stripe.server.books.balance).to.equal(0)
  })

  it('answers a token that pays again without the number, if the method is kept', async () => {
    const first = await stripe.perform(stripe.operation())
    const token = first.result === 'approved' ? (first.token ?? '') : ''
    expect(token).to.match(/^cus_\d+\/pm_\d+$/)
    stripe.server.requests.length = 0
    const again = stripe.operation({ initiator: 'consent', method: { type: 'card', number: '', token } })
    expect(await stripe.perform(again)).to.include({ result: 'approved', amount: 2999, token })
    expect(stripe.calls()).to.deep.equal(['POST payment_intents'])
    expect(stripe.server.requests[0]?.form.get('off_session')).to.equal('true')
    const once = await stripe.perform(stripe.operation({ method: { ...card, isKept: false } }))
    expect(once).to.include({ result: 'approved', token: null })
  })

  it('accepts a token that was made elsewhere, and a new method with a standing consent', async () => {
    const { id } = stripe.server.books.createMethod(new Map([['type', 'card']]))
    const first = await stripe.perform(stripe.operation({ method: { type: 'card', number: '', token: id } }))
    expect(first).to.include({ result: 'approved' })
    expect(
      await stripe.perform(stripe.operation({ method: { type: 'card', number: '', token: id } })),
    ).to.include({
      result: 'approved',
      token: first.result === 'approved' ? first.token : '',
    })
    stripe.server.requests.length = 0
    expect(await stripe.perform(stripe.operation({ initiator: 'consent' }))).to.include({
      result: 'approved',
    })
    expect(stripe.calls()[2]).to.match(/^POST payment_methods\/pm_\d+\/attach$/)
  })

  it('is pending for a bank account, until it is settled or declined by the bank', async () => {
    const asked = stripe.operation({ method: bank })
    const outcome = await stripe.perform(asked)
    expect(outcome).to.include({ result: 'pending', code: 'processing' })
    expect(await stripe.find(asked)).to.deep.equal(outcome)
    const failing = stripe.operation({ method: bank })
    await stripe.perform(failing)
    const [settled, failed] = stripe.server.books.intents
    stripe.server.books.settle(settled?.id ?? '')
    stripe.server.books.settle(failed?.id ?? '', 'insufficient_funds')
    expect(await stripe.find(asked)).to.include({ result: 'approved', amount: 2999 })
    expect(await stripe.find(failing)).to.include({ result: 'declined', statusCode: 'insufficient_bal' })
  })

  it('is declined without a request if Stripe does not support its kind', async () => {
    expect(await stripe.perform(stripe.operation({ type: 'credit' }))).to.include({
      statusCode: 'credit_not_supported',
    })
    expect(await stripe.perform(stripe.operation({ type: 'authorize', method: bank }))).to.include({
      statusCode: 'authorization_not_supported',
    })
    expect(stripe.calls()).to.deep.equal([])
  })
})

describe('a payment or authorization at Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  const mandateOf = async (more: Partial<GatewayOperation>) => {
    await stripe.perform(stripe.operation({ method: bank, ...more }))
    const form = stripe.server.requests.at(-1)?.form ?? new Map<string, string>()
    return [...form].filter(([name]) => /mandate/.test(name)).map(([name, value]) => `${name}=${value}`)
  }

  it('has a mandate with the address and browser of an online payer, and a mandate on paper otherwise', async () => {
    const accepted = 'mandate_data[customer_acceptance]'
    expect(await mandateOf({ device: { address: '192.0.2.7', browser: 'Firefox/150' } })).to.have.members([
      `${accepted}[type]=online`,
      `${accepted}[online][ip_address]=192.0.2.7`,
      `${accepted}[online][user_agent]=Firefox/150`,
    ])
    const offline = await mandateOf({})
    expect(offline).to.include(`${accepted}[type]=offline`)
    expect(offline.at(-1)).to.match(/collection_method\]=paper$/)
  })

  it('is declined with `token_unknown` if Stripe does not know the token', async () => {
    for (const token of ['pm_none', 'cus_none/pm_none'])
      expect(
        await stripe.perform(stripe.operation({ method: { type: 'card', number: '', token } })),
      ).to.include({
        result: 'declined',
        statusCode: 'token_unknown',
        isHard: true,
      })
    expect(stripe.server.books.intents).to.deep.equal([])
  })

  it('includes the time until which an authorization can be captured', async () => {
    const authorized = await stripe.perform(stripe.operation({ type: 'authorize' }))
    expect(authorized).to.include({ result: 'approved', captureBefore: '2026-11-27 12:00:00' })
    expect(await stripe.perform(stripe.operation())).to.not.have.property('captureBefore')
  })
})
