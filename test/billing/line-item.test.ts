import { expect } from 'chai'
import { idOf, listOf, openCore, type TestCore } from '../support/core.js'
import { onEachDatabase } from '../support/databases.js'
import { bill, openShop, type Shop, totals, totalsOf } from './invoices.js'

describe('line items', () => {
  onEachDatabase((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const itemsOf = (invoice: object) => ('items' in invoice && Array.isArray(invoice.items) ? invoice.items : [])

    it('come with their invoice and make its totals', async () => {
      const invoice = await core.ok('POST', '/invoices', {
        customer_id: shop.customer,
        items: [
          { entry_type: 'charge', amount: 12.5, qty: 3, description: 'Books' },
          { entry_type: 'charge', amount: 4.99 },
          { entry_type: 'charge', amount: -2.49, description: 'Discount' },
        ],
      })
      expect(invoice).to.include(totals(40, 0, 'pending'))
      expect(itemsOf(invoice).map(({ amount, qty, total }) => [amount, qty, total])).to.deep.equal([
        [12.5, 3, 37.5],
        [4.99, 1, 4.99],
        [-2.49, 1, -2.49],
      ])
    })
  })
})
