import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { type OperatorsWorld, operatorsWorld, refundOf, refusal } from './operators-world.js'

describe('permissions of operator roles', () => {
  onDatabases((open) => {
    let world: OperatorsWorld
    let core: TestCore
    let shop: string
    before(async () => {
      world = await operatorsWorld(open)
      core = world.core
      shop = world.shop
    })
    const person: OperatorsWorld['person'] = async (...given) => await world.person(...given)
    const as: OperatorsWorld['as'] = (principal) => world.as(principal)
    const payment: OperatorsWorld['payment'] = (...given) => world.payment(...given)
    const taken: OperatorsWorld['taken'] = async (...given) => await world.taken(...given)

    it('let a cashier take, capture, refund and void payments, and a viewer do none of it', async () => {
      const authorized = { status: 'authorized' }
      const cashier = as(await person('cashier'))
      const viewer = as(await person('viewer'))
      const body = payment(5)
      expect(refusal(await viewer('POST', '/transactions', body))).to.equal(
        '/transactions needs the role cashier; yours is viewer',
      )
      const paid = await cashier('POST', '/transactions', body)
      expect(paid.status).to.equal(200)
      for (const [path, sent] of [
        ['/transactions', refundOf(idOf(paid.body), 2)],
        [`/transactions/${await taken(5, authorized)}/capture`, {}],
      ] as const) {
        expect((await viewer('POST', path, sent)).status).to.equal(403)
        expect(refusal(await cashier('POST', path, sent))).to.match(/^200 /)
      }
      for (const status of ['voided', 'processed']) {
        const path = `/transactions/${await taken(5, authorized)}`
        expect((await viewer('PUT', path, { status })).status).to.equal(403)
        expect(refusal(await cashier('PUT', path, { status }))).to.match(/^200 /)
      }
    })

    it('allow credits and refunds without a payment from manager upwards', async () => {
      const cashier = as(await person('cashier'))
      const manager = as(await person('manager'))
      const needed = 'The verb credit needs the role manager; yours is cashier'
      const credit = { type: 'credit', amount: 5, processing_id: shop, payment_method: card() }
      expect(refusal(await cashier('POST', '/transactions', credit))).to.equal(needed)
      expect((await manager('POST', '/transactions', credit)).status).to.equal(200)
      const blind = { ...credit, type: 'refund' }
      expect(refusal(await cashier('POST', '/transactions', blind))).to.equal(needed)
      const listed = [payment(1), credit]
      expect(refusal(await cashier('POST', '/transactions', listed))).to.equal(needed)
    })

    it('apply to each object nested in a body', async () => {
      const cashier = as(await person('cashier'))
      const settings = { processing: { fee_percent: 0 } }
      const refused: readonly (readonly [Method, string, JsonObject, string])[] = [
        ['PUT', `/processing_accounts/${shop}`, settings, '/processing_accounts needs the role owner'],
        [
          'POST',
          '/transactions',
          payment(1, { processing: { id: shop, ...settings } }),
          'needs the role owner',
        ],
        [
          'POST',
          '/transactions',
          payment(1, { reader: { name: 'Front' } }),
          '/readers needs the role manager',
        ],
        [
          'POST',
          '/invoices',
          { items: [{ amount: 5, payment: payment(5) }] },
          '/invoices needs the role manager',
        ],
        [
          'POST',
          `/processing_accounts/${shop}/payment_methods`,
          { type: 'bank_account' },
          'The verb redirect',
        ],
        [
          'POST',
          '/transactions',
          payment(1, { friends: { name: 'Bob' } }),
          '/transactions needs the role owner',
        ],
      ]
      for (const [method, path, body, reason] of refused)
        expect(refusal(await cashier(method, path, body)), JSON.stringify(body)).to.contain(reason)
      const customer = await cashier('POST', '/customers', { name: 'Grace', payment_methods: [card()] })
      expect(customer.status, JSON.stringify(customer.body)).to.equal(200)
    })

    it('let a cashier pay an invoice, which creates line items only as part of the payment', async () => {
      const cashier = as(await person('cashier'))
      const invoice = idOf(
        await core.ok('POST', '/invoices', {
          processing_id: shop,
          customer_id: await makeCustomer(core, shop),
          items: [{ entry_type: 'charge', amount: 5 }],
        }),
      )
      const body = payment(5, { allocations: [{ invoice_id: invoice, amount: 5 }] })
      expect(refusal(await cashier('POST', '/transactions', body))).to.match(/^200 /)
      const item = { invoice_id: invoice, amount: 5 }
      expect(refusal(await cashier('POST', '/line_items', item))).to.contain(
        '/line_items needs the role manager',
      )
    })

    it('reserve processing accounts for owners, also under the path of all accounts', async () => {
      const manager = as(await person('manager'))
      const needed = '/accounts needs the role owner; yours is manager'
      const changes: readonly (readonly [Method, string, JsonObject])[] = [
        ['PUT', `/accounts/${shop}`, { processing: { status: 'inactive' } }],
        ['PUT', '/accounts', { transaction_limit: 99_999 }],
        ['DELETE', `/accounts/${shop}`, {}],
        ['POST', '/accounts', { type: 'processing', name: 'Mine', processing: { industry: 'books' } }],
      ]
      for (const [method, path, body] of changes)
        expect(refusal(await manager(method, path, body)), `${method} ${path}`).to.equal(needed)
      expect((await manager('POST', '/customers', { name: 'Grace' })).status).to.equal(200)
    })

    it('apply to every object that an update or deletion by query matches', async () => {
      const cashier = as(await person('cashier'))
      const query = { query: 'mode=query&amount=>0' }
      expect(refusal(await cashier('PUT', '/transactions', { description: 'x' }, query))).to.equal(
        'The verb change needs the role manager; yours is cashier',
      )
      expect(refusal(await cashier('DELETE', '/invoices', undefined, query))).to.equal(
        '/invoices needs the role manager; yours is cashier',
      )
    })

    it('apply to the rows of a batch before the first row runs', async () => {
      const cashier = as(await person('cashier'))
      const batch = (id: string, kind: string) => ({ id, as: kind, content: id, rows: 1 })
      const rows = (id: string, kind: string, body: JsonObject) => ({
        id,
        as: kind,
        rows: [{ row: 2, body }],
      })
      for (const kind of ['payment', 'credit', 'invoice'])
        expect((await cashier('POST', '/admin/batches', batch(`${kind}.csv`, kind))).status).to.equal(200)
      const send = async (kind: string, body: JsonObject) =>
        await cashier('POST', '/admin/batches/rows', rows(`${kind}.csv`, kind, body))
      const credit = { amount: 5, processing_id: shop, payment_method: card() }
      expect(refusal(await send('credit', credit))).to.contain('The verb credit needs the role manager')
      expect(refusal(await send('invoice', { name: 'x' }))).to.contain('/invoices needs the role manager')
      const done = await send('payment', payment(5))
      expect(refusal(done)).to.contain('"status":"done"')
    })

    it('are limited to the accounts of a narrowed operator', async () => {
      const other = await makeProcessing(core)
      const cashier = as(await person('cashier', { processing_ids: [other] }))
      const paid = await taken(5)
      expect((await cashier('GET', `/transactions/${paid}`)).status).to.equal(404)
      expect((await cashier('POST', '/transactions', refundOf(paid, 1))).status).to.equal(400)
      expect((await cashier('POST', '/transactions', payment(5))).status).to.equal(403)
      expect((await cashier('POST', '/transactions', payment(5, { processing_id: other }))).status).to.equal(
        200,
      )
      expect(refusal(await cashier('GET', '/admin/status'))).to.equal(
        '/admin/status is closed to operators that are narrowed to processing accounts',
      )
      const boss = as(await person('owner', { processing_ids: [other] }))
      for (const [path, body] of [
        ['/admin/operators', { name: 'Bob', email: 'bob@example.com', role: 'owner' }],
        ['/admin/keys', { manage: true }],
        ['/admin/keys', {}],
      ] as const)
        expect((await boss('POST', path, body)).status, path).to.equal(403)
    })
  })
})
