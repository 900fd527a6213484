import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

const LISTS: readonly JsonObject[] = [
  { object: 'list' },
  { object: 'list', values: null },
  { object: 'list', values: 'x' },
]

onDatabases((open) => {
  describe('interface line 6: filters of the interface', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
      const pay = (amount: number, more: object) =>
        shop.ok('POST', '/transactions', { type: 'payment', amount, payment_method: card(), ...more })
      await pay(1, { description: 'a|b', attrs: { n: 10, at: 'x' } })
      await pay(2, { description: '!urgent', attrs: { n: 9 } })
      const line = (product_code: string, qty: number) => ({
        commodity_code: '50201706',
        description: 'Tea',
        product_code,
        qty,
        unit_price: 1.5,
      })
      const order_details = { line_items: [line('SKU-1', 1), line('SKU-2', 3)] }
      await pay(3, { description: '?*what*', attrs: { at: 'y' }, order_details })
      await pay(4, { description: 'null', order_number: 'A-100*', attrs: { n: null } })
      await pay(5, { order_number: 'b-A-100', payment_method: card('5555 5555 5555 4444') })
      const method = { type: 'card', card: { card_number: '378282246310005', expiry: '02/41' } }
      await pay(6, { description: '\\n', order_number: 'a-101', payment_method: method })
      await pay(7, { description: 'None', payment_method: bankAccount() })
      await pay(8, { description: '<5', order_number: '>=', payment_method: bankAccount() })
    })

    const found = async (name: string, value: string, more = '&order_by=amount') => {
      const query = `${name}=${encodeURIComponent(value)}${more}`
      return valuesOf(await shop.ok('GET', `/transactions?${query}`))
        .map(({ amount }) => amount)
        .join('')
    }

    const cases: readonly [name: string, value: string, amounts: string][] = [
      ['order_details[line_items][qty]', '>2', '3'],
      ['order_details[line_items][0][product_code]', 'SKU-2', '3'],
      ['order_details[line_items][product_code]', '?*sku*', '3'],
      ['order_details[line_items][unit_price]', '>1.5', ''],
      ['order_details[line_items]', '!null', '3'],
      ['description', 'a\\|b', '1'],
      ['description', 'a\\|b|\\!urgent', '12'],
      ['description', '\\!urgent', '2'],
      ['description', '!\\!urgent', '1345678'],
      ['description', '\\?\\*what\\*', '3'],
      ['description', '?*\\*what\\**', '3'],
      ['description', '\\<5', '8'],
      ['order_number', '\\>=', '8'],
      ['order_number', '?A-10*', '46'],
      ['order_number', '?A-100\\**', '4'],
      ['order_number', '?*A-10', '456'],
      ['order_number', '?*A-100*', '45'],
      ['description', '\\n', '6'],
      ['description', '\\\\n', '6'],
      ['description', 'null', '5'],
      ['description', '!null', '1234678'],
      ['description', '\\null', '4'],
      ['description', '!\\null', '1235678'],
      ['description', 'null|None', '57'],
      ['order_number', '', '1237'],
      ['customer_id', 'None', '12345678'],
      ['customer_id', '!nil', ''],
      ['attrs[n]', 'null', '345678'],
      ['payment_method[card_brand]', 'mastercard', '5'],
      ['payment_method[card_number]', '3782 822463 10005', '6'],
      ['payment_method[card][expiry]', '>12/39', '6'],
      ['payment_method[card][expiry]', '<=12/39', '12345'],
      ['payment_method[expiry]', '>=01/40|12/39', '123456'],
      ['payment_method[expiry]', '?*/39', '12345'],
    ]
    for (const [name, value, amounts] of cases)
      it(`${name}=${value} finds ${amounts || 'no payment'}`, async () => {
        expect(await found(name, value)).to.equal(amounts)
      })

    it('sort and page by values inside attrs, numbers by size', async () => {
      const orders = '&fields=amount&limit=2&order_by=attrs[n],amount'
      const first = await shop.ask('GET', `/transactions?amount=<5${orders}`)
      expect(valuesOf(first.body)).to.deep.equal([{ amount: 3 }, { amount: 4 }])
      const [, next = ''] = /<([^>]+)>/.exec(first.headers.get('link') ?? '') ?? []
      expect(valuesOf(await shop.ok('GET', next))).to.deep.equal([{ amount: 2 }, { amount: 1 }])
      expect(await found('amount', '<5', '&order_by=-attrs[at],-amount')).to.equal('3142')
      expect(await found('amount', '<5', '&order_by=attrs[at],amount')).to.equal('2413')
    })

    it('sort by expiry, the year first', async () => {
      expect(await found('amount', '<7', '&order_by=-payment_method[expiry],amount')).to.equal('612345')
    })

    it('count the objects that have an attribute', async () => {
      const query =
        'fields=count(*),count(order_number),count(customer_id),count(payment_method[card][expiry])'
      expect(valuesOf(await shop.ok('GET', `/transactions?${query}`))).to.deep.equal([
        {
          'count(*)': 8,
          'count(order_number)': 4,
          'count(customer_id)': 0,
          'count(payment_method[card][expiry])': 6,
        },
      ])
      const groups = 'fields=payment_method[type],count(order_number)&group_by=payment_method[type]'
      expect(valuesOf(await shop.ok('GET', `/transactions?${groups}`))).to.deep.equal([
        { 'payment_method[type]': 'bank_account', 'count(order_number)': 1 },
        { 'payment_method[type]': 'card', 'count(order_number)': 3 },
      ])
    })

    it('accept the fields of a card at the top level of a payment method, like changes do', async () => {
      const methods = async (query: string) =>
        valuesOf(await shop.ok('GET', `/payment_methods?${query}`)).length
      expect(await methods('card_number=4242424242424242')).to.equal(4)
      expect(await methods('card_brand=american_express|mastercard')).to.equal(2)
      expect(await methods('expiry=02/41')).to.equal(1)
      expect(await methods('routing_number=021000021')).to.equal(3)
      const [method] = valuesOf(await shop.ok('GET', '/payment_methods?expiry=02/41'))
      const path = `/payment_methods/${idOf(method ?? {})}`
      expect(await shop.ok('PUT', path, { expiry: '03/41' })).to.have.nested.property('card.expiry', '03/41')
      const refused = await shop.ask('PUT', path, { card_number: '4242424242424242' })
      expect(refused.body.details).to.deep.equal({ card: { card_number: 'Read only' } })
      expect(await shop.ok('PUT', path, { expiry: '02/41' })).to.have.nested.property('card.expiry', '02/41')
    })
  })

  describe('interface line 6: an update by query', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
      for (const name of ['Ada', 'Bea']) await shop.ok('POST', '/customers', { name })
    })

    for (const parameter of ['limit', 'offset', 'order_by', 'after'])
      it(`refuses ${parameter}, which would be ignored`, async () => {
        const query = `name=Ada|Bea&mode=query&${parameter}=${parameter === 'order_by' ? 'name' : '1'}`
        for (const method of ['PUT', 'DELETE']) {
          const { status, body } = await shop.ask(method, `/customers?${query}`, { description: 'x' })
          expect([status, body.details]).to.deep.equal([400, { [parameter]: 'Not together with mode=query' }])
        }
        expect(valuesOf(await shop.ok('GET', '/customers?description=null'))).to.have.length(2)
      })
  })

  describe('interface line 6: HEAD', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('answers like GET without a body', async () => {
      for (const path of [
        `/accounts/${shop.account}`,
        '/accounts?limit=1',
        '/accounts/acct_none',
        '/healthz',
      ]) {
        const get = await shop.ask('GET', path)
        const head = await shop.ask('HEAD', path)
        expect([head.status, head.body]).to.deep.equal([get.status, {}])
        expect(head.headers.get('content-type')).to.equal(get.headers.get('content-type'))
      }
    })
  })

  describe('interface line 6: errors', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('name all problems at once, also those of nested objects', async () => {
      const { status, body } = await shop.ask('POST', '/transactions', {
        payment_method: { type: 'card', billing_address: { city: 'Rome' }, phone_number: 'x' },
        shipping_details: { city: 'Rome' },
        order_details: { line_items: [{ qty: 1 }] },
        colour: 'red',
      })
      expect([status, body.details]).to.deep.equal([
        400,
        {
          amount: 'Required',
          type: 'Required',
          payment_method: {
            card: { card_number: 'Required', expiry: 'Required' },
            billing_address: { postal_code: 'Required' },
            phone_number: 'Must be valid phone number',
          },
          shipping_details: { postal_code: 'Required' },
          order_details: {
            line_items: {
              0: {
                commodity_code: 'Required',
                description: 'Required',
                product_code: 'Required',
                unit_price: 'Required',
              },
            },
          },
          colour: 'Unknown attribute',
        },
      ])
    })

    it('name problems of a tree at any depth', async () => {
      const { body } = await shop.ask('POST', '/processing_accounts', {
        processing: {},
        legal_entity: { owners: [{}, { full_name: 'Ada' }] },
        payment_methods: [{ type: 'bank_account' }, {}],
      })
      expect(body.details).to.have.nested.include({
        name: 'Required',
        'processing.industry': 'Required',
        'legal_entity.ein': 'Required',
        'legal_entity.owners.0.full_name': 'Required',
        'legal_entity.owners.1.ssn': 'Required',
        'payment_methods.0.bank_account.account_number': 'Required',
        'payment_methods.1.type': 'Required',
      })
    })
  })

  describe('interface line 6: a list', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('without values is refused', async () => {
      for (const method of ['POST', 'PUT', 'DELETE'])
        for (const list of LISTS) {
          const { status, body } = await shop.ask(method, '/customers', list)
          expect([status, body.error_type, Object.keys(Object(body.details))]).to.deep.equal([
            400,
            'BadRequest',
            ['values'],
          ])
        }
      expect(await shop.ok('POST', '/customers', { object: 'list', values: [] })).to.deep.equal({
        object: 'list',
        values: [],
      })
    })
  })
})
