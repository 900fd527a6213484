import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('interface line 2: a deleted object', () => {
    let shop: Shop
    let ada: string
    let method: string
    let payment: string
    let invoice: string

    before(async () => {
      shop = await openShop(open)
      ada = idOf(await shop.ok('POST', '/customers', { name: 'Ada Park', email: 'ada@example.com' }))
      method = idOf(await shop.ok('POST', '/payment_methods', { ...card(), account_id: ada }))
      const bill = { customer_id: ada, items: [{ entry_type: 'charge', amount: 10 }] }
      invoice = idOf(await shop.ok('POST', '/invoices', bill))
      const pay = { type: 'payment', amount: 10, customer_id: ada, payment_method_id: method }
      payment = idOf(
        await shop.ok('POST', '/transactions', {
          ...pay,
          allocations: [{ entry_type: 'payment', invoice_id: invoice, amount: -10 }],
        }),
      )
      await shop.ok('DELETE', `/payment_methods/${method}`)
    })

    it('if it is a used payment method, is shown with its payment, masked, with deleted: true', async () => {
      const shown = await shop.ok('GET', `/transactions/${payment}`)
      expect(shown).to.deep.nested.include({
        payment_method_id: method,
        'payment_method.id': method,
        'payment_method.deleted': true,
        'payment_method.card': {
          card_brand: 'visa',
          card_number: 'xxxxxxxxxxxx4242',
          card_type: 'credit',
          expiry: '12/39',
        },
      })
      const [listed] = valuesOf(await shop.ok('GET', `/transactions?id=${payment}`))
      expect(listed).to.deep.equal(shown)
      const brand = await shop.ok('GET', `/transactions/${payment}?fields=payment_method[card][card_brand]`)
      expect(brand).to.deep.equal({ payment_method: { card: { card_brand: 'visa' } } })
    })

    it('is found by filters, sorting and groups through related objects', async () => {
      const queries = [
        'payment_method[card][card_brand]=visa',
        'payment_method[card_number]=4242424242424242',
        `payment_method[id]=${method}`,
        'order_by=payment_method[card][card_brand]',
      ]
      for (const query of queries)
        expect(valuesOf(await shop.ok('GET', `/transactions?${query}`)).map(idOf)).to.deep.equal([payment])
      const groups =
        'fields=payment_method[card][card_brand],count(*)&group_by=payment_method[card][card_brand]'
      expect(valuesOf(await shop.ok('GET', `/transactions?${groups}`))).to.deep.equal([
        { 'payment_method[card][card_brand]': 'visa', 'count(*)': 1 },
      ])
    })

    it('is missing at its own path and in lists', async () => {
      const { status } = await shop.ask('GET', `/payment_methods/${method}`)
      expect(status).to.equal(404)
      expect(valuesOf(await shop.ok('GET', '/payment_methods?card_brand=visa'))).to.deep.equal([])
      expect(valuesOf(await shop.ok('GET', `/customers/${ada}/payment_methods`))).to.deep.equal([])
      const again = { type: 'payment', amount: 1, payment_method_id: method }
      const { body } = await shop.ask('POST', '/transactions', again)
      expect(body.details).to.deep.equal({ payment_method_id: 'Not found' })
    })

    it('if it is a customer, is shown with payments, invoices and schedules that have ended', async () => {
      const schedule = idOf(
        await shop.ok('POST', '/billing_schedules', { customer_id: ada, processing_id: shop.account }),
      )
      await shop.ok('DELETE', `/customers/${ada}`)
      expect((await shop.ask('GET', `/customers/${ada}`)).status).to.equal(404)
      const named: readonly [path: string, id: string][] = [
        ['/transactions', payment],
        ['/invoices', invoice],
        ['/billing_schedules', schedule],
      ]
      for (const [path, id] of named) {
        const shown = await shop.ok('GET', `${path}/${id}?fields=*,customer`)
        expect(shown).to.deep.nested.include({
          customer_id: ada,
          'customer.name': 'Ada Park',
          'customer.deleted': true,
        })
        const found = await shop.ok('GET', `${path}?customer[email]=ada@example.com`)
        expect(valuesOf(found).map(idOf)).to.deep.equal([id])
        expect(await shop.ok('GET', `${path}/${id}/customer`)).to.include({ name: 'Ada Park', deleted: true })
      }
      const other = await shop.ask('POST', '/invoices', { customer_id: ada })
      expect(other.body.details).to.deep.equal({ customer_id: 'Not found' })
    })

    it('can be sent back unchanged, but not changed', async () => {
      for (const [path, relations] of [
        [`/transactions/${payment}`, 'customer'],
        [`/invoices/${invoice}`, 'customer'],
      ] as const) {
        const { modified_at: _, ...shown } = await shop.ok('GET', `${path}?fields=*,${relations}`)
        const { modified_at: __, ...after } = await shop.ok('PUT', `${path}?fields=*,${relations}`, shown)
        expect(after).to.deep.equal(shown)
        const changed = { customer: { ...objectOf(shown.customer), name: 'Eve' } }
        const refused = await shop.ask('PUT', path, changed)
        expect([refused.status, refused.body.details]).to.deep.equal([
          400,
          { customer: { id: 'Is deleted' } },
        ])
      }
    })
  })

  describe('interface line 2: a customer', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    const customer = async () => idOf(await shop.ok('POST', '/customers', { name: 'Ada' }))

    /** Objects that prevent the deletion of their customer, with the request that ends each. */
    const affairs: readonly [
      name: string,
      words: string,
      make: (id: string) => Promise<string>,
      end: (id: string) => Promise<unknown>,
    ][] = [
      [
        'invoices',
        'open invoices',
        async (id) => {
          const items: JsonObject[] = [{ entry_type: 'charge', amount: 10 }]
          return idOf(await shop.ok('POST', '/invoices', { customer_id: id, items }))
        },
        (id) => shop.ok('POST', '/line_items', { entry_type: 'payment', invoice_id: id, amount: 10 }),
      ],
      [
        'billing_schedules',
        'active schedules',
        async (id) =>
          idOf(
            await shop.ok('POST', '/billing_schedules', {
              customer_id: id,
              processing_id: shop.account,
              recurring_frequency: 'monthly',
            }),
          ),
        (id) => shop.ok('DELETE', `/billing_schedules/${id}`),
      ],
      [
        'transactions',
        'pending transactions',
        async (id) => {
          const pay = { type: 'payment', amount: 1, customer_id: id, status: 'authorized' }
          return idOf(await shop.ok('POST', '/transactions', { ...pay, payment_method: card() }))
        },
        (id) => shop.ok('PUT', `/transactions/${id}`, { status: 'voided' }),
      ],
    ]

    for (const [name, words, make, end] of affairs)
      it(`with ${words} cannot be deleted, and the error names them`, async () => {
        const id = await customer()
        const open = await make(id)
        const { status, body } = await shop.ask('DELETE', `/customers/${id}`)
        expect([status, body.details]).to.deep.equal([400, { [name]: `Has ${words}: ${open}` }])
        await end(open)
        expect((await shop.ask('DELETE', `/customers/${id}`)).status).to.equal(200)
      })
  })
})
