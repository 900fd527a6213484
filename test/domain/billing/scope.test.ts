import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { bill, openShop, type Shop, totals, totalsOf } from './invoices.js'
import { jump, openBilling, schedule } from './schedules/schedules.js'

const key = (narrowing: Partial<Principal>): Principal => ({
  kind: 'key',
  id: 'a key',
  manage: false,
  ...narrowing,
})

describe('a narrowed key', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let other: string
    let invoice: JsonObject
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      other = await makeProcessing(core, 'Other')
      invoice = await bill(shop, [10])
    })

    const refused = async (principal: Principal, method: Method, path: string, body: JsonObject) => {
      const answer = await core.send(method, path, body, { principal })
      return [answer.status, answer.body.error_type, answer.body.error_description]
    }

    it('cannot charge or pay invoices of other processing accounts', async () => {
      const narrow = key({ processingIds: [other] })
      const to = { invoice_id: idOf(invoice) }
      const notFound = (path: string) => [400, 'InvalidAttributes', path]
      const charge = { ...to, entry_type: 'charge', amount: 1 }
      expect(await refused(narrow, 'POST', '/line_items', charge)).to.deep.equal(notFound('[invoice_id]'))
      const payment = { type: 'payment', amount: 1, payment_method: card(), allocations: [to] }
      expect(await refused(narrow, 'POST', '/transactions', payment)).to.deep.equal(
        notFound('[allocations][0][invoice_id]'),
      )
      const bound = { customer_id: shop.customer }
      expect(await refused(narrow, 'POST', '/invoices', bound)).to.deep.equal(notFound('[customer_id]'))
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 0, 'pending'))
    })

    it('bills its own customers, to its own processing account', async () => {
      const principal = key({ processingIds: [other] })
      const customer = idOf(await core.ok('POST', '/customers', { name: 'Theirs' }, { principal }))
      const items = [{ entry_type: 'charge', amount: 5 }]
      const own = await core.ok('POST', '/invoices', { customer_id: customer, items }, { principal })
      expect(own).to.include({ processing_id: other, amount_due: 5 })
      const body = {
        type: 'payment',
        amount: 5,
        payment_method: card(),
        allocations: [{ invoice_id: idOf(own) }],
      }
      const paid = await core.ok('POST', '/transactions', body, { principal })
      await core.ok('PUT', `/transactions/${paid.id}`, { status: 'voided' }, { principal })
      expect(await totalsOf(core, own)).to.deep.equal(totals(5, 0, 'pending'))
      expect(
        await refused(principal, 'PUT', `/invoices/${own.id}`, { processing_id: shop.processing }),
      ).to.deep.equal([403, 'Forbidden', `${shop.processing} is outside the scope of the key`])
    })

    it('needs the permission for items and payments at every path that creates them', async () => {
      const noItems = key({ grants: { transactions: ['POST'], invoices: ['POST'] } })
      const no = (what: string) => [403, 'Forbidden', `The key may not POST /${what}`]
      const allocations = [{ invoice_id: idOf(invoice) }]
      const payment = { type: 'payment', amount: 1, customer_id: shop.customer, allocations }
      expect(await refused(noItems, 'POST', '/transactions', payment)).to.deep.equal(no('line_items'))
      const items = [{ entry_type: 'charge', amount: 5 }]
      const made = { customer_id: shop.customer, items }
      expect(await refused(noItems, 'POST', '/invoices', made)).to.deep.equal(no('line_items'))
      const noPayments = key({ grants: { line_items: ['POST'] } })
      const item = {
        entry_type: 'payment',
        invoice_id: idOf(invoice),
        payment: { type: 'payment', amount: 1 },
      }
      expect(await refused(noPayments, 'POST', '/line_items', item)).to.deep.equal(no('transactions'))
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 0, 'pending'))
    })

    it('bills missed slots when it changes a schedule, even without access to the customer', async () => {
      const billing = await openBilling(open)
      const { processing } = billing
      const stranger = idOf(await billing.core.ok('POST', '/customers', { name: 'Of nobody' }))
      const principal = key({ processingIds: [processing] })
      const changes: ((id: string) => [Method, string, JsonObject?])[] = [
        (id) => ['PUT', `/billing_schedules/${id}`, { end_date: '2027-01-01' }],
        (id) => ['POST', `/billing_schedules/${id}/charges`, { amount: 5 }],
        (id) => ['DELETE', `/billing_schedules/${id}`],
      ]
      const made: [string, (typeof changes)[number]][] = []
      for (const change of changes)
        made.push([await schedule({ ...billing, customer: stranger }, 'daily'), change])
      await jump(billing.core, '2026-11-24 12:00:00')
      for (const [id, change] of made) {
        const [method, path, body] = change(id)
        await billing.core.ok(method, path, body, { principal })
        const query = `billing_schedule_id=${id}&fields=due_date,total_due,customer_id&order_by=due_date`
        const missed = valuesOf(await billing.core.ok('GET', '/invoices', undefined, { query }))
        const of = (due_date: string) => ({ due_date, total_due: 20, customer_id: stranger })
        expect(missed, path).to.deep.equal([of('2026-11-21'), of('2026-11-22'), of('2026-11-23')])
      }
      expect(
        (await billing.core.send('GET', `/customers/${stranger}`, undefined, { principal })).status,
      ).to.equal(404)
    })
  })
})
