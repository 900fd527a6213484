import { expect } from 'chai'
import type { InvoiceRow } from '../../../src/engine/store/database/tables.js'
import { become, bill, openShop, payWith, refund } from '../../domain/billing/invoices.js'
import { idOf, openCore } from '../core.js'
import { onDatabases } from '../databases.js'
import { audit } from './audit.js'
import { type Kept, readKept } from './kept.js'

describe('an audit of invoices', () => {
  onDatabases((open) => {
    let kept: Kept
    before(async () => {
      const core = await openCore(open)
      const shop = await openShop(core)
      const due_date = '2030-03-10'
      const one = await bill(shop, [10, 20], { due_date })
      const two = await bill(shop, [5])
      const paid = await payWith(shop, 40, [{ invoice_id: idOf(one) }, { invoice_id: idOf(two), amount: 4 }])
      await refund(core, paid, 7)
      await core.ok('POST', `/invoices/${two.id}/items`, { entry_type: 'payment', amount: 1 })
      const held = await payWith(shop, 2, [{ invoice_id: idOf(two) }], { status: 'authorized' })
      await become(core, held, 'processed')
      await core.ok('DELETE', `/invoices/${(await bill(shop, [1])).id}`)
      const handle = core.environment.core
      kept = await handle.write(({ tx }) => readKept(tx))
    })

    it('reports no problem in correct invoices', () => {
      expect(kept.invoices).to.have.length(3)
      expect(kept.items).to.have.length(9)
      expect(audit(kept)).to.deep.equal([])
    })

    it('reports every item that is missing or duplicate', () => {
      for (const [index, item] of kept.items.entries()) {
        if (item.deleted_at !== null) continue
        expect(audit({ ...kept, items: kept.items.toSpliced(index, 1) }), `without ${item.id}`).not.to.be
          .empty
        expect(audit({ ...kept, items: [...kept.items, item] }), `twice ${item.id}`).not.to.be.empty
      }
    })

    it('reports every wrong amount, quantity and total of an item', () => {
      for (const name of ['amount', 'qty', 'total'] as const)
        for (const [index, item] of kept.items.entries()) {
          if (item.deleted_at !== null) continue
          const items = kept.items.with(index, { ...item, [name]: (item[name] ?? 0) + 1 })
          expect(audit({ ...kept, items }), `${name} of ${item.id}`).not.to.be.empty
        }
    })

    it('reports every wrong total of an invoice, and a wrong day of payment', () => {
      for (const [index, row] of kept.invoices.entries())
        for (const change of wrongs(row)) {
          const invoices = kept.invoices.with(index, { ...row, ...change })
          expect(audit({ ...kept, invoices }), `${row.id} ${JSON.stringify(change)}`).not.to.be.empty
        }
    })

    it('reports a wrong allocated amount of a payment', () => {
      for (const [index, row] of kept.transactions.entries()) {
        const transactions = kept.transactions.with(index, { ...row, allocated: (row.allocated ?? 0) + 1 })
        expect(audit({ ...kept, transactions }), row.id).not.to.be.empty
      }
    })
  })
})

/** Changed attributes of an invoice that contradict its items or its due date, one set per wrong invoice. */
function wrongs({ deleted_at, due_date, paid_timestamp, ...row }: InvoiceRow): Partial<InvoiceRow>[] {
  const paid = { total_paid: (row.total_paid ?? 0) + 1 }
  if (deleted_at !== null) return [paid]
  const dates = due_date === null ? [] : [{ overdue_at: '2030-03-11 00:00:00' }, { due_date: null }]
  return [
    paid,
    { total_due: (row.total_due ?? 0) + 1 },
    { amount_due: (row.amount_due ?? 0) - 1 },
    { item_count: 7 },
    { paid_timestamp: paid_timestamp === null ? '2030-01-01' : null },
    ...dates,
  ]
}
