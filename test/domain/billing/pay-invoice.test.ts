import { expect } from 'chai'
import { payInvoice } from '../../../src/domain/billing/collecting/collect.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { rejection } from '../../support/rejection.js'
import { bill, openShop, type Shop, totals, totalsOf } from './invoices.js'

describe('paying an invoice', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    const pay = async (invoice: JsonObject, payment?: Parameters<typeof payInvoice>[2]) => {
      const handle = core.environment.core
      return await handle.write(async (work) => {
        const row = await work.lock(resources.invoice, idOf(invoice))
        if (!row) throw new Error('The invoice is gone')
        return await payInvoice(work, row, payment)
      })
    }

    it("charges the amount due to the customer's default method", async () => {
      const invoice = await bill(shop, [30])
      expect(await pay(invoice)).to.include({
        amount: 3000,
        status: 'processed',
        payment_method_id: shop.method,
        processing_id: shop.processing,
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 30, 'paid'))
      expect(await rejection(pay(invoice))).to.have.deep.property('details', { amount: 'Nothing is due' })
    })

    it('can charge a part of the amount due, and never charges more', async () => {
      const invoice = await bill(shop, [30])
      expect(await pay(invoice, { amount: 1250, description: 'First part' })).to.include({
        description: 'First part',
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 12.5, 'partially_paid'))
      expect(await rejection(pay(invoice, { amount: 1751 }))).to.have.deep.property('details', {
        allocations: { 0: { amount: 'Exceeds amount due of 17.50' } },
      })
    })
  })
})
