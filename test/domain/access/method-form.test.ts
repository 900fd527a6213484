import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card } from '../../support/examples.js'
import { Checkout } from './checkout.js'

onDatabases((open) => {
  describe('a client key for a payment_method_form', () => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const ask = async (key: string, method: string, path: string, body?: JsonObject) =>
      await checkout.service.ask(key, method, path, body)
    const form = async (options: JsonObject, maker?: string) =>
      await checkout.make({ intent: { payment_method_form: options } }, maker)
    const methodsOf = async (customer: string) =>
      valuesOf((await ask(checkout.secret, 'GET', `/payment_methods?account_id=${customer}`)).body)

    it('creates a payment method of its customer, and sees only what its page needs', async () => {
      const key = await form({ customer_id: checkout.customer })
      const { status, body } = await ask(key, 'POST', '/payment_methods', {
        ...card(),
        account_holder: 'Ada',
      })
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.have.all.keys([
        'object',
        'id',
        'type',
        'description',
        'card',
        'bank_account',
        'created_at',
      ])
      expect(JSON.stringify(body)).to.include('xxxxxxxxxxxx4242').and.not.include(checkout.customer)
      const made = await ask(checkout.secret, 'GET', `/payment_methods/${body.id}`)
      expect(made.body).to.include({ account_id: checkout.customer, account_holder: 'Ada' })
      const renewed = await ask(checkout.secret, 'POST', '/transactions', {
        payment_method_id: String(body.id),
        amount: 9,
        type: 'payment',
      })
      expect(renewed.body).to.include({
        status: 'processed',
        customer_id: checkout.customer,
        processing_id: checkout.shop,
      })
    })

    it('applies the options of its intent to the method, or is refused when created', async () => {
      const account_id = checkout.customer
      const key = await form({
        payment_method: { account_id, type: 'bank_account', default_payment_method: true, keep_active: true },
      })
      expect((await ask(key, 'POST', '/payment_methods', card())).status).to.equal(403)
      const { body } = await ask(key, 'POST', '/payment_methods', { ...bankAccount(), account_id })
      const made = await ask(checkout.secret, 'GET', `/payment_methods/${body.id}`)
      expect(made.body).to.include({ account_id, type: 'bank_account', default_payment_method: true })
      const kept = await form({ payment_method: { keep_active: false } })
      const once = await ask(kept, 'POST', '/payment_methods', card())
      const stored = await ask(checkout.secret, 'GET', `/payment_methods/${once.body.id}`)
      expect(stored.body).to.include({ account_id: null, keep_active: false })

      const refused: [JsonObject, JsonObject][] = [
        [{ amount: 5 }, { amount: 'Unknown attribute' }],
        [{ payment: { amount: 5 } }, { payment: 'Unknown attribute' }],
        [{ payment_method: { account_id: 'acct_no' } }, { payment_method: { account_id: 'Not found' } }],
        [{ payment_method: { account_id: checkout.shop } }, { payment_method: { account_id: 'Not found' } }],
        [
          { customer_id: 'acct_1', payment_method: { account_id } },
          { customer_id: 'Must be payment_method.account_id' },
        ],
        [
          { payment_method: { default_payment_method: true } },
          { payment_method: { default_payment_method: 'Needs account_id' } },
        ],
        [
          { payment_method: { billing_address: {} } },
          { payment_method: { billing_address: 'Unknown attribute' } },
        ],
        [{ payment_method: { attrs: {} } }, { payment_method: { attrs: 'Unknown attribute' } }],
      ]
      for (const [options, details] of refused) {
        const intent = { payment_method_form: options }
        const answer = await ask(checkout.secret, 'POST', '/access_tokens', { type: 'client', intent })
        expect([answer.status, answer.body.details], JSON.stringify(options)).to.deep.equal([
          400,
          { intent: { payment_method_form: details } },
        ])
      }
    })

    it('creates one new method at a time, only for its own customer', async () => {
      const key = await form({ customer_id: checkout.customer })
      const stranger = await checkout.idOf('/customers', { name: 'Eve' })
      const before = (await methodsOf(checkout.customer)).length
      const [first] = await methodsOf(checkout.customer)
      const beyond: JsonObject[] = [
        { ...card(), account_id: stranger },
        { ...card(), account_id: checkout.shop },
        { ...bankAccount(), account_id: checkout.shop, default_payment_method: true },
        { ...card(), default_payment_method: true },
        { ...card(), gateway_token: { gateway: 'main', token: 'x' } },
        { ...card(), legal_entity: { legal_name: 'Eve' } },
        { ...card(), attrs: { a: 1 } },
        { ...card(), id: String(Reflect.get(first ?? {}, 'id')) },
        { object: 'list', values: [card(), card()] },
        { 0: card() },
      ]
      for (const body of beyond) {
        const { status } = await ask(key, 'POST', '/payment_methods', body)
        expect(status, JSON.stringify(body)).to.be.oneOf([400, 403])
      }
      for (const fields of ['*', 'account_id', '*,account_id', 'id,attrs', 'legal_entity[ein]', 'count(*)']) {
        const { status } = await ask(key, 'POST', `/payment_methods?fields=${fields}`, card())
        expect(status, fields).to.be.oneOf([400, 403])
      }
      expect((await checkout.pay(key)).status).to.equal(403)
      expect((await methodsOf(checkout.customer)).length).to.equal(before)
      expect((await methodsOf(checkout.shop)).length).to.equal(1)
      const few = await ask(key, 'POST', '/payment_methods?fields=id,card[card_brand]', card())
      expect([few.status, Object.keys(few.body)]).to.deep.equal([200, ['id', 'card']])
    })

    it('has the permissions of its creator', async () => {
      const poor = await checkout.service.key({ grants: { access_tokens: ['POST'], transactions: ['POST'] } })
      const intent = { payment_method_form: { customer_id: checkout.customer } }
      expect((await ask(poor, 'POST', '/access_tokens', { type: 'client', intent })).status).to.equal(403)
      const narrowed = await checkout.service.key({ processing_ids: [checkout.other] })
      const foreign = await ask(narrowed, 'POST', '/access_tokens', { type: 'client', intent })
      expect([foreign.status, foreign.body.details]).to.deep.equal([
        400,
        { intent: { payment_method_form: { payment_method: { account_id: 'Not found' } } } },
      ])
      const nobodys = { payment_method_form: {} }
      const unnamed = await ask(narrowed, 'POST', '/access_tokens', { type: 'client', intent: nobodys })
      expect(unnamed.status).to.equal(400)
      const own = await checkout.service.key({ processing_ids: [checkout.shop] })
      const made = await ask(
        await form({ customer_id: checkout.customer }, own),
        'POST',
        '/payment_methods',
        card(),
      )
      expect(made.status, JSON.stringify(made.body)).to.equal(200)
    })
  })
})
