import { expect } from 'chai'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('interface line 11: a payment without a destination', () => {
    let shop: Shop
    let second: string

    before(async () => {
      shop = await openShop(open)
      second = idOf(await shop.ok('POST', '/processing_accounts', processingAccount('Second')))
    })

    const pay = async () => {
      const payment = { type: 'payment', amount: 5, payment_method: card() }
      return (await shop.ok('POST', '/transactions', payment)).processing_id
    }

    it('goes to the first account of the test environment, even if there is a second', async () => {
      expect(await pay()).to.equal(shop.account)
      expect(await shop.ok('GET', '/processing_accounts?name=Default test account')).to.deep.equal({
        object: 'list',
        values: [],
      })
    })

    it('goes to the account that the operator named, until the operator names another account', async () => {
      const path = (id: string) => `/processing_accounts/${id}`
      expect(await shop.ok('POST', `${path(second)}/set_default?fields=id,is_default`)).to.deep.equal({
        id: second,
        is_default: true,
      })
      expect(await pay()).to.equal(second)
      await shop.ok('POST', `${path(shop.account)}/set_default`)
      expect(await pay()).to.equal(shop.account)
      expect(await shop.ok('GET', `${path(second)}?fields=is_default`)).to.deep.equal({ is_default: false })
    })

    it('has the currency of the account, which does not change', async () => {
      const path = `/processing_accounts/${shop.account}`
      expect(await shop.ok('GET', `${path}?currency=USD`)).to.include({ currency: 'USD' })
      expect(await shop.ok('PUT', path, { currency: 'USD' })).to.include({ currency: 'USD' })
      const other = await shop.ask('POST', '/processing_accounts', {
        ...processingAccount(),
        currency: 'EUR',
      })
      expect(other.body.details).to.deep.equal({ currency: 'Must be one of: USD' })
      const payer = await shop.ask('POST', '/customers', { name: 'Ada', currency: 'USD' })
      expect(payer.body.details).to.deep.equal({ currency: 'Only for processing accounts' })
      expect(await shop.ok('POST', '/customers', { name: 'Ada' })).to.include({ currency: null })
      expect((await shop.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('has a default that only a key with manage may set', async () => {
      const plain = await shop.service.key()
      const { status } = await shop.service.ask(plain, 'POST', `/processing_accounts/${second}/set_default`)
      expect(status).to.equal(403)
    })
  })

  describe('interface line 10: a payment without a method', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it("uses the customer's only active payment method if there is no default", async () => {
      const ada = idOf(await shop.ok('POST', '/customers', { name: 'Ada' }))
      const payment = { type: 'payment', amount: 5, customer_id: ada }
      const none = await shop.ask('POST', '/transactions', payment)
      expect(none.body.details).to.deep.equal({ payment_method: 'Required' })
      const only = idOf(await shop.ok('POST', '/payment_methods', { ...card(), account_id: ada }))
      expect(await shop.ok('POST', '/transactions', payment)).to.include({ payment_method_id: only })
      const other = idOf(await shop.ok('POST', '/payment_methods', { ...card(), account_id: ada }))
      const two = await shop.ask('POST', '/transactions', payment)
      expect(two.body.details).to.deep.equal({ payment_method: 'Required' })
      await shop.ok('PUT', `/payment_methods/${other}`, { default_payment_method: true })
      expect(await shop.ok('POST', '/transactions', payment)).to.include({ payment_method_id: other })
    })
  })

  describe('interface line 11: a payment that is voided', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('is not paid out', async () => {
      const made = await shop.ok('POST', '/transactions', {
        type: 'payment',
        amount: 5,
        payment_method: card(),
      })
      expect(made).to.include({ funding_status: 'pending' })
      const path = `/transactions/${idOf(made)}`
      expect(await shop.ok('PUT', path, { status: 'voided' })).to.include({
        status: 'voided',
        funding_status: null,
      })
      expect((await shop.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })

  describe('interface line 10: a request', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('with nested lists shows them in its answer', async () => {
      const file = 'data:text/plain;name=terms.txt;base64,SGVsbG8='
      const invoice = await shop.ok('POST', '/invoices', {
        customer: { name: 'Ada' },
        attachments: [{ file }],
        items: [{ entry_type: 'charge', amount: 12, description: 'Books' }],
      })
      expect(invoice).to.have.nested.property('attachments[0].name', 'terms.txt')
      const link = await shop.ok('POST', '/payment_links', { amount: 5, attachments: [{ file }] })
      expect(link).to.have.nested.property('attachments[0].object', 'invoice_attachment')
      const named = await shop.ok('POST', '/payment_links?fields=id', { amount: 5, attachments: [{ file }] })
      expect(Object.keys(named)).to.deep.equal(['id'])
    })

    it('with a link for an invoice shows its amount and description', async () => {
      const invoice = await shop.ok('POST', '/invoices', {
        customer: { name: 'Ada' },
        description: 'March',
        items: [{ entry_type: 'charge', amount: 12 }],
      })
      const link = await shop.ok('POST', '/payment_links', { invoice_id: idOf(invoice) })
      expect(link).to.include({ amount: 12, description: 'March' })
      expect(await shop.ok('PUT', `/payment_links/${idOf(link)}`, link)).to.include({ amount: 12 })
    })

    it('in form notation has its texts in checkout_options converted to booleans', async () => {
      const form = new URLSearchParams([
        ['amount', '5'],
        ['checkout_options[bank_account_payments]', 'false'],
        ['checkout_options[colours][dark]', 'true'],
      ])
      const response = await fetch(`${shop.service.address}/payment_links`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${shop.key}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: form.toString(),
      })
      expect(JSON.parse(await response.text()).checkout_options).to.deep.equal({
        bank_account_payments: false,
        colours: { dark: true },
      })
    })

    it('in Latin-1, with its charset declared, is accepted', async () => {
      const send = async (type: string, body: Buffer) => {
        const headers = { authorization: `Bearer ${shop.key}`, 'content-type': type }
        const init = { method: 'POST', headers, body: new Uint8Array(body) }
        const response = await fetch(`${shop.service.address}/customers?fields=name`, init)
        return JSON.parse(await response.text())
      }
      const latin = (text: string) => Buffer.from(text, 'latin1')
      const json = 'application/json; charset=iso-8859-1'
      expect(await send(json, latin('{"name":"Zoë"}'))).to.deep.equal({ name: 'Zoë' })
      const form = 'application/x-www-form-urlencoded; charset=latin1'
      expect(await send(form, latin('name=Zo%EB+Noël'))).to.deep.equal({ name: 'Zoë Noël' })
    })
  })
})
