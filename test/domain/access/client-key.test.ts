import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card } from '../../support/examples.js'
import { Checkout } from './checkout.js'

describe('client keys', () => {
  onDatabases((open) => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const ask = async (key: string, method: string, path: string, body?: JsonObject) =>
      await checkout.service.ask(key, method, path, body)

    it('have the key as their id, which stays readable', async () => {
      const { status, body } = await ask(checkout.secret, 'POST', '/access_tokens', {
        type: 'client',
        intent: { amount: 10 },
        attrs: { page: 'checkout' },
      })
      expect(status).to.equal(200)
      expect(body).to.deep.include({
        object: 'access_token',
        type: 'client',
        status: 'active',
        environ: 'test',
        intent: { amount: 10 },
        attrs: { page: 'checkout' },
        expires_at: null,
        processing_id: null,
      })
      expect(body.id).to.match(/^test_client_key_[0-9A-Za-z]{43}$/)
      expect((await ask(checkout.secret, 'GET', `/access_tokens/${body.id}`)).body).to.deep.equal(body)
      const listed = await ask(checkout.secret, 'GET', `/access_tokens?id=${body.id}&status=active`)
      expect(valuesOf(listed.body)).to.deep.equal([body])
      const changed = await ask(checkout.secret, 'PUT', `/access_tokens/${body.id}`, {
        expires_at: '2040-01-01',
      })
      expect(changed.status).to.equal(403)
    })

    it('work only in their environment', async () => {
      const live = await checkout.service.key({}, 'live')
      const key = await checkout.make({}, live)
      expect(key).to.match(/^client_key_/)
      expect((await checkout.pay(key)).status).to.equal(503)
      expect((await checkout.pay(`test_${key}`)).status).to.equal(401)
    })

    it('can take payments, sent as a Bearer token or as the user name of Basic authentication', async () => {
      const key = await checkout.make()
      const { status, body } = await checkout.pay(key)
      expect(status).to.equal(200)
      expect(body).to.include({
        type: 'payment',
        amount: 10,
        status: 'processed',
        processing_id: checkout.shop,
      })
      expect(objectOf(objectOf(body.payment_method).card).card_number).to.equal('xxxxxxxxxxxx4242')
      const response = await fetch(`${checkout.service.address}/transactions`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(checkout.payment({ payment_method: bankAccount() })),
      })
      expect(response.status).to.equal(200)
      const declined = await checkout.pay(key, { payment_method: card('4111 1111 1111 9904') })
      expect([declined.status, declined.body.error_type]).to.deep.equal([400, 'TransactionDeclined'])
    })

    it('complete one payment at a time', async () => {
      const key = await checkout.make()
      const count = async () =>
        valuesOf((await ask(checkout.secret, 'GET', '/transactions?limit=1000&fields=id')).body).length
      const before = await count()
      const list = { object: 'list', values: [checkout.payment(), checkout.payment({ amount: 11 })] }
      expect((await ask(key, 'POST', '/transactions', list)).status).to.equal(403)
      expect((await ask(key, 'POST', '/transactions', { 0: checkout.payment() })).status).to.equal(403)
      const dry = await fetch(`${checkout.service.address}/transactions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'dry-run' },
        body: JSON.stringify(checkout.payment()),
      })
      expect(dry.status).to.equal(403)
      expect(await count()).to.equal(before)
    })

    it('cannot refund, credit or name customers, and read only what a page needs', async () => {
      const key = await checkout.make()
      const stored = await checkout.idOf('/payment_methods', {
        ...card(),
        account_id: checkout.customer,
        default_payment_method: true,
      })
      const refused: [JsonObject, JsonObject][] = [
        [{ type: 'refund' }, { type: 'Must be payment' }],
        [{ type: 'credit' }, { type: 'Must be payment' }],
        [{ customer_id: checkout.customer }, { customer_id: 'Not allowed' }],
        [{ customer: { id: checkout.customer } }, { customer: 'Not allowed' }],
        [{ customer: { name: 'Eve' } }, { customer: 'Not allowed' }],
        [{ processing: { id: checkout.shop } }, { processing: 'Not allowed' }],
        [{ payment_method_id: stored }, { payment_method_id: 'Not allowed' }],
        [{ payment_method: { id: stored } }, { payment_method: { id: 'Not allowed' } }],
        [
          { payment_method: { id: stored, card: { card_code: '123' } } },
          { payment_method: { id: 'Not allowed' } },
        ],
        [
          { payment_method: { ...card(), account_id: checkout.customer } },
          { payment_method: { account_id: 'Not allowed' } },
        ],
        [
          { payment_method: { ...card(), default_payment_method: true } },
          { payment_method: { default_payment_method: 'Not allowed' } },
        ],
        [{ allocations: [] }, { allocations: 'Not allowed' }],
        [{ ledger: [{ assoc_transaction_id: 'txn_1' }] }, { ledger: 'Not allowed' }],
        [{ payment_link_id: 'plnk_1' }, { payment_link_id: 'Not allowed' }],
        [{ descriptor: 'REFUND' }, { descriptor: 'Not allowed' }],
        [{ source: 'emv' }, { source: 'Not allowed' }],
      ]
      for (const [more, details] of refused) {
        const { status, body } = await checkout.pay(key, more)
        expect([status, body.error_type, body.details], JSON.stringify(more)).to.deep.equal([
          403,
          'Forbidden',
          details,
        ])
      }
      const allowed = { description: 'A book', order_number: '7', attrs: { page: 1 }, card_code: '123' }
      expect(await checkout.outcome(key, allowed)).to.equal('processed')
      expect(await checkout.outcome(key, { payment_method: null })).to.deep.equal([
        400,
        { payment_method: 'Required' },
      ])
    })

    it('do not see the risk score of a card, which would reveal its use elsewhere', async () => {
      const { service, manager, shop } = checkout
      const account = await service.ask(manager, 'GET', `/processing_accounts/${shop}`)
      const { id } = objectOf(objectOf(account.body.processing).settings)
      const change = async (risk_check_enabled: boolean | null) =>
        await service.ask(manager, 'PUT', `/processing_settings/${id}`, { risk_check_enabled })
      await change(true)
      const key = await checkout.make()
      const shown: unknown[] = []
      for (let n = 0; n < 6; n++) {
        const { body } = await checkout.pay(key, { payment_method: card('5555555555554444') })
        shown.push(body.risk_score, body.risk_flag)
      }
      await change(null)
      expect(new Set(shown)).to.deep.equal(new Set([null]))
    })

    it('cannot allocate a payment, and see no relation that they may not read', async () => {
      const key = await checkout.make()
      const allocations = [{ invoice_id: 'inv_1' }]
      expect((await checkout.pay(key, { allocations })).status).to.equal(403)
      for (const fields of ['*,customer', '*,ledger', 'processing[name]', '*,receipts', 'customer[name]']) {
        const answer = await ask(key, 'POST', `/transactions?fields=${fields}`, checkout.payment())
        expect(answer.status, fields).to.equal(403)
      }
      const { body } = await ask(key, 'POST', '/transactions?fields=id,status', checkout.payment())
      expect(body).to.have.all.keys('id', 'status')
    })

    it('enforce their intent against values from the page', async () => {
      const key = await checkout.make({
        intent: {
          amount: 29.99,
          processing_id: checkout.shop,
          customer_id: checkout.customer,
          description: 'A book',
        },
      })
      const { body } = await checkout.pay(key, { amount: '29.99', processing_id: null })
      expect(body).to.include({
        amount: 29.99,
        status: 'processed',
        customer_id: checkout.customer,
        processing_id: checkout.shop,
        description: 'A book',
      })
      expect(objectOf(body.payment_method).account_id).to.equal(checkout.customer)
      expect(
        await checkout.outcome(key, { amount: 29.99, customer_id: checkout.customer, description: 'A book' }),
      ).to.equal('processed')
      const refused: [JsonObject, string][] = [
        [{}, 'amount'],
        [{ amount: 29.99, processing_id: checkout.other }, 'processing_id'],
        [{ amount: 29.99, customer_id: 'acct_nobody' }, 'customer_id'],
        [{ amount: 29.99, description: 'Two books' }, 'description'],
      ]
      for (const [more, attribute] of refused)
        expect(await checkout.outcome(key, more), attribute).to.deep.equal([403, { [attribute]: 'Is fixed' }])
      expect(await checkout.outcome(key, { amount: 29.99, payment_method: null })).to.deep.equal([
        400,
        { payment_method: 'Required' },
      ])
    })

    it('pay only the invoice or link of their intent, for its customer', async () => {
      const { shop, customer } = checkout
      const items = [{ entry_type: 'charge', amount: 10 }]
      const bill = async () =>
        await checkout.idOf('/invoices', { customer_id: customer, processing_id: shop, items })
      const due = async (id: string) => (await ask(checkout.secret, 'GET', `/invoices/${id}`)).body.amount_due
      const invoice_id = await bill()
      const ofInvoice = await checkout.make({ intent: { invoice_id } })
      const { body } = await checkout.pay(ofInvoice)
      expect([body.status, body.customer_id, await due(invoice_id)]).to.deep.equal(['processed', customer, 0])
      expect(await checkout.outcome(ofInvoice)).to.deep.equal([
        400,
        { allocations: { 0: { amount: 'Exceeds amount due of 0.00' } } },
      ])

      const linked = await bill()
      const payment_link_id = await checkout.idOf('/payment_links', { invoice_id: linked })
      const ofLink = await checkout.make({ intent: { payment_link_id } })
      const paid = await checkout.pay(ofLink, { payment_link_id })
      expect([paid.body.status, paid.body.customer_id, await due(linked)]).to.deep.equal([
        'processed',
        customer,
        0,
      ])
      expect(await checkout.outcome(ofLink)).to.deep.equal([400, { payment_link_id: 'Is completed' }])
      const other = await checkout.idOf('/payment_links', { amount: 10, processing_id: shop })
      expect(await checkout.outcome(ofLink, { payment_link_id: other })).to.deep.equal([
        403,
        { payment_link_id: 'Is fixed' },
      ])
    })

    it('with an intent other than paying cannot pay', async () => {
      expect(
        (await checkout.pay(await checkout.make({ intent: { oauth_client_token: {} } }))).status,
      ).to.equal(403)
    })
  })
})
