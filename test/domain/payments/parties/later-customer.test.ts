import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { onDatabases } from '../../../support/databases.js'
import { card } from '../../../support/examples.js'
import { Checkout } from '../../access/checkout.js'

onDatabases((open) => {
  describe('the customer added later to a payment', () => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const ask = async (method: string, path: string, body?: JsonObject, key = checkout.secret) =>
      await checkout.service.ask(key, method, path, body)
    const paid = async (more: JsonObject = {}) => await checkout.idOf('/transactions', checkout.payment(more))
    const set = async (id: string, customer_id: string | null, key = checkout.secret) => {
      const { status, body } = await ask('PUT', `/transactions/${id}`, { customer_id }, key)
      return status === 200 ? body.customer_id : [status, body.details]
    }

    it('is set once, and read-only afterwards', async () => {
      const { customer } = checkout
      const other = await checkout.idOf('/customers', { name: 'Eve' })
      const id = await paid()
      expect(await set(id, null)).to.equal(null)
      expect(await set(id, customer)).to.equal(customer)
      expect(await set(id, customer)).to.equal(customer)
      expect(await set(id, other)).to.deep.equal([400, { customer_id: 'Read only' }])
      expect(await set(id, null)).to.deep.equal([400, { customer_id: 'Read only' }])
      const both = { customer_id: customer, status: 'processed', order_number: '7' }
      const held = await ask('PUT', `/transactions/${await paid({ status: 'authorized' })}`, both)
      expect(held.body).to.include(both)
      const object = await ask('PUT', `/transactions/${await paid()}`, { customer: { id: customer } })
      expect([object.status, object.body.details]).to.deep.equal([400, { customer: 'Read only' }])
    })

    it('is set by one of two simultaneous requests', async () => {
      const names = ['Ada', 'Eve', 'Bob']
      const customers = await Promise.all(names.map((name) => checkout.idOf('/customers', { name })))
      const id = await paid()
      const answers = await Promise.all(customers.map((customer) => set(id, customer)))
      const [won, ...more] = answers.filter((answer) => typeof answer === 'string')
      expect(more).to.deep.equal([])
      expect((await ask('GET', `/transactions/${id}`)).body.customer_id).to.equal(won)
    })

    it('must fit the account and payment method of the payment', async () => {
      const { customer, shop } = checkout
      const owner = await checkout.idOf('/customers', { name: 'Owner' })
      const method = await checkout.idOf('/payment_methods', card())
      const byMethod = await paid({ payment_method: null, payment_method_id: method })
      await ask('PUT', `/payment_methods/${method}`, { account_id: owner })
      expect(await set(byMethod, customer)).to.deep.equal([
        400,
        { customer_id: 'Must be the customer of its payment method' },
      ])
      expect(await set(byMethod, owner)).to.equal(owner)
      expect(await set(await paid(), shop)).to.deep.equal([400, { customer_id: 'Not found' }])
      expect(await set(await paid(), 'acct_nobody')).to.deep.equal([400, { customer_id: 'Not found' }])
      const limited = await checkout.idOf(
        '/customers',
        { name: 'Small', transaction_limit: 5 },
        checkout.manager,
      )
      expect(await set(await paid(), limited)).to.deep.equal([
        400,
        { amount: 'Exceeds the transaction limit of 5.00' },
      ])
    })

    it('cannot be set after a refund, which has the parties of its payment', async () => {
      const id = await paid()
      const refund = await checkout.idOf('/transactions', {
        type: 'refund',
        amount: 4,
        ledger: [{ assoc_transaction_id: id }],
      })
      const late = [400, { customer_id: 'Cannot be set after a refund or a dispute' }]
      expect(await set(id, checkout.customer)).to.deep.equal(late)
      expect(await set(refund, checkout.customer)).to.deep.equal([
        400,
        { customer_id: 'Only a payment gets a customer later, not a refund' },
      ])
    })

    it('must be visible to the key, and so must the payment', async () => {
      const id = await paid()
      const foreign = await checkout.service.key({ processing_ids: [checkout.other] })
      expect(await set(id, checkout.customer, foreign)).to.deep.equal([404, {}])
      const own = await checkout.service.key({ processing_ids: [checkout.shop] })
      const strangers = await checkout.idOf('/customers', {
        name: 'Eve',
        primary_processing_id: checkout.other,
      })
      expect(await set(id, strangers, own)).to.deep.equal([400, { customer_id: 'Not found' }])
      expect(await set(id, checkout.customer, own)).to.equal(checkout.customer)
    })

    it('leaves the sealed books valid', async () => {
      expect((await ask('GET', '/admin/verify', undefined, checkout.manager)).body.findings).to.deep.equal([])
    })
  })
})
