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

  it('is a sale of its amount with the convenience fee', async () => {
    on.expectRequests(beginning('sale', await on.take(29.99), 3058))
  })

  it('is a sale with the convenience fee of bank accounts, if it is paid by bank account', async () => {
    const payment = await on.take(100, { payment_method: bankAccount() })
    on.expectRequests(beginning('sale', payment, 10_030, BANK))
  })

  it('is a sale of the amount alone, if the merchant bears the fee', async () => {
    const payment = await on.take(29.99, {}, await on.business.account())
    on.expectRequests(beginning('sale', payment, 2999))
  })

  it('contains all facts of the method that the gateway may need', async () => {
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

  it('contains the card code of the payment rather than that of the new card', async () => {
    const payment = await on.take(10, { card_code: '987' })
    expect(on.recording.lastMethod()).to.include({ number: VISA, cardCode: '987' })
    on.expectRequests(beginning('sale', payment, 1030))
  })

  it('contains no card code if none was sent', async () => {
    const { card_code: _, ...uncoded } = objectOf(card().card)
    const payment = await on.take(10, { payment_method: { type: 'card', card: uncoded } })
    expect(on.recording.lastMethod()).to.include({ number: VISA }).and.not.have.property('cardCode')
    on.expectRequests(beginning('sale', payment, 1030))
  })

  it('is the same for the default method of a customer', async () => {
    const customer_id = await makeCustomer(on.core, on.account)
    const saved = { ...card(), account_id: customer_id, default_payment_method: true }
    await on.core.ok('POST', '/payment_methods', saved)
    const body = { type: 'payment', amount: 29.99, customer_id }
    on.expectRequests(beginning('sale', idOf(await on.core.ok('POST', '/transactions', body)), 3058))
  })

  it('is the same through a payment link', async () => {
    const body = { type: 'one_time', processing_id: on.account, amount: 29.99 }
    const link = idOf(await on.core.ok('POST', '/payment_links', body))
    on.expectRequests(beginning('sale', await on.take(29.99, { payment_link_id: link }), 3058))
  })

  it("is a sale of the invoice's open amount with the convenience fee, if a billing schedule makes it", async () => {
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

  it('is one sale, if it is declined', async () => {
    const number = '4111111111119904'
    const body = { type: 'payment', amount: 29.99, processing_id: on.account, payment_method: card(number) }
    const answer = await on.core.send('POST', '/transactions', body)
    expect(answer.body).to.include({ error_type: 'TransactionDeclined' })
    const query = `processing_id=${on.account}&status=declined`
    const [declined] = valuesOf(await on.core.ok('GET', '/transactions', undefined, { query }))
    on.expectRequests(beginning('sale', idOf(declined ?? {}), 3058, number))
  })

  it('is one sale, if it is sent again with its idempotency key', async () => {
    const body = { type: 'payment', amount: 29.99, processing_id: on.account, payment_method: card() }
    const options = { idempotencyKey: 'the same payment' }
    const payment = idOf(await on.core.ok('POST', '/transactions', body, options))
    expect(idOf(await on.core.ok('POST', '/transactions', body, options))).to.equal(payment)
    on.expectRequests(beginning('sale', payment, 3058))
  })

  it('is one sale for each payment of a list, in order', async () => {
    const body = { type: 'payment', processing_id: on.account, payment_method: card() }
    const bodies = [29.99, 10].map((amount) => ({ ...body, amount }))
    const [first = '', second = ''] = valuesOf(await on.core.ok('POST', '/transactions', list(bodies))).map(
      idOf,
    )
    on.expectRequests(beginning('sale', first, 3058), beginning('sale', second, 1030))
  })

  it('is not sent if a rule refuses the payment', async () => {
    const limited = await on.business.account(FEES_OF_PAYER, { transaction_limit: 10 })
    const body = { type: 'payment', amount: 10.01, processing_id: limited, payment_method: card() }
    expect((await on.core.send('POST', '/transactions', body)).status).to.equal(400)
  })

  it('is not sent if the payment is a duplicate', async () => {
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
    it(`is a ${type} of the amount alone to the method, if there is no payment`, async () => {
      const on = recorded()
      const body = { type, amount: 29.99, processing_id: on.account }
      const byCard = await on.core.ok('POST', '/transactions', { ...body, payment_method: card() })
      const byBank = await on.core.ok('POST', '/transactions', { ...body, payment_method: bankAccount() })
      on.expectRequests(beginning(type, idOf(byCard), 2999), beginning(type, idOf(byBank), 2999, BANK))
    })
})
