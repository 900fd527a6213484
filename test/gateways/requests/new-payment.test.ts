import { expect } from 'chai'
import { idOf, list, objectOf, valuesOf } from '../../support/core.js'
import { bankAccount, card, makeCustomer } from '../../support/examples.js'
import { beginning, FEES_OF_PAYER, onEachGateway, type Recorded, VISA } from './recorded.js'

const BANK = '1234567890'

onEachGateway('a new payment', (recorded) => {
  let on: Recorded
  beforeEach(() => {
    on = recorded()
  })

  it('is a sale of its amount and the convenience fee', async () => {
    on.expectRequests(beginning('sale', await on.take(29.99), 3058))
  })

  it('by bank account is the same, at the price of bank accounts', async () => {
    const payment = await on.take(100, { payment_method: bankAccount() })
    on.expectRequests(beginning('sale', payment, 10_030, BANK))
  })

  it('is a sale of the amount alone where the merchant bears the fee', async () => {
    const payment = await on.take(29.99, {}, await on.business.account())
    on.expectRequests(beginning('sale', payment, 2999))
  })

  it('says all of the method that the gateway may need', async () => {
    const billing_address = { street_address: '1 Main Street', postal_code: '10001' }
    const byCard = await on.take(10, { payment_method: { ...card(), billing_address } })
    expect(on.recording.lastMethod()).to.deep.equal({
      type: 'card',
      number: VISA,
      expiry: '12/39',
      cardCode: '123',
      street: '1 Main Street',
      postalCode: '10001',
    })
    const byBank = await on.take(10, { payment_method: { ...bankAccount(), billing_address } })
    expect(on.recording.lastMethod()).to.deep.equal({
      type: 'bank_account',
      number: BANK,
      routing: '021000021',
      accountType: 'checking',
      street: '1 Main Street',
      postalCode: '10001',
    })
    on.expectRequests(beginning('sale', byCard, 1030), beginning('sale', byBank, 1030, BANK))
  })

  it('says the card code of the payment rather than that of the new card', async () => {
    const payment = await on.take(10, { card_code: '987' })
    expect(on.recording.lastMethod()).to.include({ number: VISA, cardCode: '987' })
    on.expectRequests(beginning('sale', payment, 1030))
  })

  it('says no card code when none was sent', async () => {
    const { card_code: _, ...uncoded } = objectOf(card().card)
    const payment = await on.take(10, { payment_method: { type: 'card', card: uncoded } })
    expect(on.recording.lastMethod()).to.include({ number: VISA }).and.not.have.property('cardCode')
    on.expectRequests(beginning('sale', payment, 1030))
  })

  it('by the default method of a customer is the same', async () => {
    const customer_id = await makeCustomer(on.core, on.account)
    const saved = { ...card(), account_id: customer_id, default_payment_method: true }
    await on.core.ok('POST', '/payment_methods', saved)
    const body = { type: 'payment', amount: 29.99, customer_id }
    on.expectRequests(beginning('sale', idOf(await on.core.ok('POST', '/transactions', body)), 3058))
  })

  it('through a payment link is the same', async () => {
    const body = { type: 'one_time', processing_id: on.account, amount: 29.99 }
    const link = idOf(await on.core.ok('POST', '/payment_links', body))
    on.expectRequests(beginning('sale', await on.take(29.99, { payment_link_id: link }), 3058))
  })

  it('that is due by a schedule is a sale of what the invoice lacks and the convenience fee', async () => {
    const merchant = await on.business.account(FEES_OF_PAYER)
    const customer_id = await makeCustomer(on.core, merchant)
    const saved = { ...card(), account_id: customer_id, default_payment_method: true }
    await on.core.ok('POST', '/payment_methods', saved)
    await on.core.ok('POST', '/billing_schedules', {
      customer_id,
      processing_id: merchant,
      recurring_frequency: 'monthly',
      charges: [{ amount: 29.99 }],
    })
    await on.core.ok('POST', '/admin/billing/run', {})
    const [payment] = await on.business.all(merchant, 'payment')
    expect(payment).to.include({ amount: 29.99, status: 'processed', customer_id })
    on.expectRequests(beginning('sale', idOf(payment ?? {}), 3058, VISA, 'consent'))
    expect(on.recording.lastMethod()).to.include({ type: 'card', expiry: '12/39' })
  })

  it('that is declined is one sale', async () => {
    const number = '4111111111119904'
    const body = { type: 'payment', amount: 29.99, processing_id: on.account, payment_method: card(number) }
    const answer = await on.core.send('POST', '/transactions', body)
    expect(answer.body).to.include({ error_type: 'TransactionDeclined' })
    const query = `processing_id=${on.account}&status=declined`
    const [declined] = valuesOf(await on.core.ok('GET', '/transactions', undefined, { query }))
    on.expectRequests(beginning('sale', idOf(declined ?? {}), 3058, number))
  })

  it('that is sent again under its idempotency key is one sale', async () => {
    const body = { type: 'payment', amount: 29.99, processing_id: on.account, payment_method: card() }
    const options = { idempotencyKey: 'the same payment' }
    const payment = idOf(await on.core.ok('POST', '/transactions', body, options))
    expect(idOf(await on.core.ok('POST', '/transactions', body, options))).to.equal(payment)
    on.expectRequests(beginning('sale', payment, 3058))
  })

  it('in a list is a sale each, in order', async () => {
    const body = { type: 'payment', processing_id: on.account, payment_method: card() }
    const bodies = [29.99, 10].map((amount) => ({ ...body, amount }))
    const [first = '', second = ''] = valuesOf(await on.core.ok('POST', '/transactions', list(bodies))).map(
      idOf,
    )
    on.expectRequests(beginning('sale', first, 3058), beginning('sale', second, 1030))
  })

  it('that a rule refuses is no request', async () => {
    const limited = await on.business.account(FEES_OF_PAYER, { transaction_limit: 10 })
    const body = { type: 'payment', amount: 10.01, processing_id: limited, payment_method: card() }
    expect((await on.core.send('POST', '/transactions', body)).status).to.equal(400)
  })

  it('that is a duplicate is no request', async () => {
    const guarded = await on.business.account({ ...FEES_OF_PAYER, duplicate_window: 60 })
    const payment = await on.take(29.99, {}, guarded)
    on.expectRequests(beginning('sale', payment, 3058))
    const body = { type: 'payment', amount: 29.99, processing_id: guarded, payment_method: card() }
    const answer = await on.core.send('POST', '/transactions', body)
    expect(answer.body).to.include({ error_type: 'TransactionDeclined' })
  })
})

onEachGateway('money that goes out', (recorded) => {
  for (const type of ['refund', 'credit'] as const)
    it(`by a ${type} without a payment is its amount alone, to the method`, async () => {
      const on = recorded()
      const body = { type, amount: 29.99, processing_id: on.account }
      const byCard = await on.core.ok('POST', '/transactions', { ...body, payment_method: card() })
      const byBank = await on.core.ok('POST', '/transactions', { ...body, payment_method: bankAccount() })
      on.expectRequests(beginning(type, idOf(byCard), 2999), beginning(type, idOf(byBank), 2999, BANK))
    })
})
