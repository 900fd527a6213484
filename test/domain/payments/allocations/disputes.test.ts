import { expect } from 'chai'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import {
  allocationsOf,
  bill,
  openShop,
  payWith,
  refund,
  type Shop,
  totals,
  totalsOf,
} from '../../billing/invoices.js'

describe('allocations of a disputed payment', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const simulate = (payment: JsonObject, event: string, more: JsonObject = {}) =>
      core.ok('POST', '/admin/simulate', { transaction_id: idOf(payment), event, ...more })
    const take = async (payment: JsonObject) =>
      (await allocationsOf(core, payment)).map(({ total, description }) => [total, description])

    it('are reversed for the disputed part, newest first', async () => {
      const one = await bill(shop, [30])
      const two = await bill(shop, [20])
      const paid = await payWith(shop, 50, [{ invoice_id: idOf(one) }, { invoice_id: idOf(two) }])
      await simulate(paid, 'chargeback', { amount: 25 })
      expect(await totalsOf(core, one)).to.deep.equal(totals(30, 25, 'partially_paid'))
      expect(await totalsOf(core, two)).to.deep.equal(totals(20, 0, 'pending'))
      expect(await take(paid)).to.deep.equal([
        [-30, null],
        [-20, null],
        [20, 'Payment charged back'],
        [5, 'Payment charged back'],
      ])
    })

    it('are all reversed, and return when the dispute is won', async () => {
      const invoice = await bill(shop, [30])
      const paid = await payWith(shop, 30, [{ invoice_id: idOf(invoice) }])
      await simulate(paid, 'chargeback')
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await simulate(paid, 'dispute_won')
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
      expect(await take(paid)).to.deep.equal([
        [-30, null],
        [30, 'Payment rejected'],
        [-30, 'Dispute won'],
      ])
    })

    it('return up to the amount still due, and at most the amount lost', async () => {
      const one = await bill(shop, [30])
      const two = await bill(shop, [20])
      const paid = await payWith(shop, 50, [{ invoice_id: idOf(one) }, { invoice_id: idOf(two) }])
      await refund(core, paid, 10)
      await simulate(paid, 'chargeback')
      await payWith(shop, 5, [{ invoice_id: idOf(one) }])
      await simulate(paid, 'dispute_won')
      expect(await totalsOf(core, one)).to.deep.equal(totals(30, 30, 'paid'))
      expect(await totalsOf(core, two)).to.deep.equal(totals(20, 10, 'partially_paid'))
      const other = await bill(shop, [20])
      await core.ok('POST', `/transactions/${paid.id}/allocations`, { invoice_id: idOf(other) })
      expect(await totalsOf(core, other)).to.deep.equal(totals(20, 5, 'partially_paid'))
    })
  })
})
