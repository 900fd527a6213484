import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { booksOf, eventsOf } from './books.js'

describe('taking a payment', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    it('by card is processed at once, with fee, reference, risk and events', async () => {
      const payment = await pay(core, processing, 29.99)
      expect(payment).to.include({
        object: 'transaction',
        type: 'payment',
        amount: 29.99,
        fee: 1.17,
        status: 'processed',
        status_code: 'approved',
        status_message: 'Approved',
        funding_status: 'pending',
        risk_flag: 'allowed',
        risk_score: 0,
        avs: 'unknown',
        processing_id: processing,
      })
      expect(payment.ref_number).to.match(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
      expect(objectOf(payment.payment_method)).to.include({
        type: 'card',
        description: 'Visa ending in 4242',
      })
      expect(await eventsOf(core, idOf(payment))).to.deep.equal(['payment processed', 'processed processed'])
    })

    it('by bank account is processed, at the price of bank accounts', async () => {
      const payment = await pay(core, processing, 100, { payment_method: bankAccount() })
      expect(payment).to.include({ status: 'processed', fee: 0.3, avs: null })
    })

    it('needs an amount of any numeric notation', async () => {
      for (const type of ['payment', 'refund', 'credit'])
        for (const missing of [true, false]) {
          const rest = { type, processing_id: processing, payment_method: card() }
          const body = missing ? rest : { ...rest, amount: null }
          const refused = await core.send('POST', '/transactions', body)
          expect([refused.status, refused.body.details], type).to.deep.equal([400, { amount: 'Required' }])
        }
    })

    it('refuses receipts from the client, except an empty list', async () => {
      expect(await pay(core, processing, 10, { receipts: [] })).to.include({ status: 'processed' })
      const body = { type: 'payment', amount: 10, processing_id: processing, payment_method: card() }
      const refused = await core.send('POST', '/transactions', { ...body, receipts: [{}] })
      expect([refused.status, refused.body.details]).to.deep.equal([
        400,
        { receipts: 'Are made at their own path' },
      ])
    })

    it('that is declined is stored without fees, with the reason', async () => {
      const before = await booksOf(core, processing)
      const body = {
        type: 'payment',
        amount: 10,
        processing_id: processing,
        payment_method: card('4111111111119904'),
      }
      const { status, body: error } = await core.send('POST', '/transactions', body)
      expect(status).to.equal(400)
      expect(error).to.include({ error_type: 'TransactionDeclined' })
      const declined = objectOf(error.details)
      const stored = await core.ok('GET', `/transactions/${idOf(declined)}`, undefined, {
        query: 'fields=*,conv_fee',
      })
      expect(stored).to.include({
        status: 'declined',
        status_code: 'insufficient_bal',
        funding_status: null,
        fee: 0,
        conv_fee: 0,
      })
      expect(await eventsOf(core, idOf(declined))).to.deep.equal(['decline declined'])
      expect(await booksOf(core, processing)).to.deep.equal(before)
    })

    it('charges the payer the convenience fee according to the settings', async () => {
      const account = await makeProcessing(core, 'Halves')
      const processingAccount = await core.ok('GET', `/processing_accounts/${account}`)
      const settings = objectOf(objectOf(processingAccount.processing).settings)
      await core.ok('PUT', `/processing_settings/${idOf(settings)}`, { credit_conv_fee_alloc: 50 })
      const { id } = await pay(core, account, 29.99)
      const payment = await core.ok('GET', `/transactions/${id}`, undefined, { query: 'fields=*,conv_fee' })
      expect(payment).to.include({ amount: 29.99, conv_fee: 0.59, fee: 0.58 })
      expect(await booksOf(core, account)).to.deep.equal({
        processor_clearing: -3058,
        merchant_payable: 2941,
        fee_income: 117,
      })
    })

    it('accrues the fee if the account is billed monthly', async () => {
      const account = await makeProcessing(core, 'Monthly')
      const made = await core.ok('GET', `/processing_accounts/${account}`)
      const settings = idOf(objectOf(objectOf(made.processing).settings))
      await core.ok('PUT', `/processing_settings/${settings}`, { billing_preference: 'billed_monthly' })
      expect(await pay(core, account, 29.99)).to.include({ fee: 0 })
      expect(await booksOf(core, account)).to.deep.equal({
        processor_clearing: -2999,
        merchant_payable: 2999,
        fee_receivable: -117,
        fee_income: 117,
      })
    })

    it('authorizes and captures', async () => {
      const account = await makeProcessing(core, 'Later')
      const payment = await pay(core, account, 29.99, { status: 'authorized' })
      expect(payment).to.include({ status: 'authorized', funding_status: 'pending', processed_date: null })
      expect(await booksOf(core, account)).to.deep.equal({})
      const captured = await core.ok('PUT', `/transactions/${idOf(payment)}`, { status: 'processed' })
      expect(captured).to.include({ status: 'processed', fee: 1.17 })
      expect(captured.processed_date).to.match(/^\d{4}-\d\d-\d\d$/)
      expect(await booksOf(core, account)).to.include({ processor_clearing: -2999 })
      expect(await eventsOf(core, idOf(payment))).to.deep.equal([
        'payment authorized',
        'authorized authorized',
        'processed processed',
      ])
    })

    it('goes to the customer’s primary account and saves the method with the customer', async () => {
      const customer = await makeCustomer(core, processing)
      const payment = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        customer_id: customer,
        payment_method: { ...card(), default_payment_method: true },
      })
      expect(payment).to.include({ processing_id: processing, customer_id: customer })
      expect(objectOf(payment.payment_method)).to.include({ account_id: customer })

      const again = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 6,
        customer_id: customer,
      })
      expect(again).to.include({ status: 'processed', payment_method_id: payment.payment_method_id })

      const byMethod = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 7,
        payment_method_id: payment.payment_method_id ?? null,
      })
      expect(byMethod).to.include({ customer_id: customer, processing_id: processing })
    })

    it('refuses the payment method of another customer', async () => {
      const ada = await makeCustomer(core, processing)
      const bob = await makeCustomer(core, processing, 'Bob')
      const method = await core.ok('POST', '/payment_methods', { ...card(), account_id: bob })
      const body = { type: 'payment', amount: 5, customer_id: ada, payment_method_id: idOf(method) }
      const { status, body: error } = await core.send('POST', '/transactions', body)
      expect(status).to.equal(400)
      expect(error.details).to.deep.equal({ payment_method_id: 'Belongs to another account' })
    })

    it('does not store a method for a single payment', async () => {
      const customer = await makeCustomer(core, processing)
      const payment = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        customer_id: customer,
        payment_method: { ...card(), keep_active: false },
      })
      const method = objectOf(payment.payment_method)
      expect(method).to.include({ keep_active: false, account_id: null })
      expect(objectOf(method.card)).to.include({ card_number: 'xxxxxxxxxxxx4242' })
      const { body: again, status } = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        processing_id: processing,
        payment_method_id: idOf(method),
      })
      expect(status).to.equal(400)
      expect(again.details).to.deep.equal({ payment_method_id: 'Was used once and not saved' })
    })

    const refused: [string, object, object][] = [
      ['a payment without a method', { payment_method: null }, { payment_method: 'Required' }],
      [
        'a payment by an expired card',
        { payment_method: { ...card(), card: { card_number: '4242424242424242', expiry: '01/20' } } },
        { payment_method: { card: { expiry: 'Expired' } } },
      ],
      [
        'a card without its number',
        { payment_method: { type: 'card', card: { expiry: '12/39' } } },
        { payment_method: { card: { card_number: 'Required' } } },
      ],
      [
        'a card without its group of attributes',
        { payment_method: { type: 'card' } },
        { payment_method: { card: { card_number: 'Required', expiry: 'Required' } } },
      ],
      ['an unknown processing account', { processing_id: 'acct_nobody' }, { processing_id: 'Not found' }],
      ['an unknown customer', { customer_id: 'acct_nobody' }, { customer_id: 'Not found' }],
      ['a deposit', { type: 'deposit' }, { type: 'Must be one of: payment, refund, credit' }],
      ['a voided payment', { status: 'voided' }, { status: 'Must be one of: processed, authorized' }],
      [
        'a payment with a ledger',
        { ledger: [{ assoc_transaction_id: 'txn_1' }] },
        { ledger: 'Only a refund names a transaction' },
      ],
    ]
    for (const [what, changes, details] of refused) {
      it(`refuses ${what}, and stores no row`, async () => {
        const count = valuesOf(await core.ok('GET', '/transactions')).length
        const methods = valuesOf(await core.ok('GET', '/payment_methods')).length
        const body = {
          type: 'payment',
          amount: 5,
          processing_id: processing,
          payment_method: card(),
          ...changes,
        }
        const { status, body: error } = await core.send('POST', '/transactions', body)
        expect(status).to.equal(400)
        expect(error).to.include({ error_type: 'InvalidAttributes' })
        expect(error.details).to.deep.equal(details)
        expect(valuesOf(await core.ok('GET', '/transactions'))).to.have.length(count)
        expect(valuesOf(await core.ok('GET', '/payment_methods'))).to.have.length(methods)
      })
    }

    it('refuses features that the account is not set up for', async () => {
      const incomplete = await core.ok('POST', '/processing_accounts', { name: 'Bare' })
      const { body: bare } = await core.send('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        processing_id: idOf(incomplete),
        payment_method: card(),
      })
      expect(bare.details).to.deep.equal({
        processing_id:
          'The processing account cannot take payments: it is incomplete (missing: legal entity, owner of the legal entity, bank account)',
      })

      const account = await makeProcessing(core, 'Limited')
      const made = await core.ok('PUT', `/processing_accounts/${account}`, { transaction_limit: 100 })
      const settings = idOf(objectOf(objectOf(made.processing).settings))
      await core.ok('PUT', `/processing_settings/${settings}`, { card_processing: { debit: false } })
      const asked = { type: 'payment', processing_id: account }
      const above = await core.send('POST', '/transactions', {
        ...asked,
        amount: 100.01,
        payment_method: card(),
      })
      expect(above.body.details).to.deep.equal({ amount: 'Exceeds the transaction limit of 100.00' })
      const debit = await core.send('POST', '/transactions', {
        ...asked,
        amount: 5,
        payment_method: card('4000056655665556'),
      })
      expect(debit.body.details).to.deep.equal({
        payment_method: 'Debit card payments are not enabled for this processing account',
      })
    })

    it('without an account goes to the first account created, in test', async () => {
      const first = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        payment_method: card(),
      })
      const second = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        payment_method: card(),
      })
      expect(first.processing_id).to.equal(second.processing_id)
      const account = await core.ok('GET', `/processing_accounts/${first.processing_id}`)
      const query = 'order_by=id&limit=1&fields=id'
      const [oldest] = valuesOf(await core.ok('GET', '/processing_accounts', undefined, { query }))
      expect(oldest).to.deep.equal({ id: account.id })
    })

    it('needs a complete group if any part of it is sent', async () => {
      const body = { type: 'payment', amount: 1, processing_id: processing, payment_method: card() }
      const half = await core.send('POST', '/transactions', { ...body, shipping_details: { city: 'Ames' } })
      expect(half.body.details).to.deep.equal({ shipping_details: { postal_code: 'Required' } })
    })

    it('is unavailable in live, and stores no row', async () => {
      const { core: live } = await core.app.environment('live')
      const body = { type: 'payment', amount: 5, payment_method: card() }
      const answer = await live.handle({ method: 'POST', path: '/transactions', body, principal: owner })
      expect(answer.status).to.equal(503)
      const methods = await live.handle({ method: 'GET', path: '/payment_methods', principal: owner })
      expect(valuesOf(methods.body)).to.deep.equal([])
    })
  })
})
