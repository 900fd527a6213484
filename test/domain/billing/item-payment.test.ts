import { expect } from 'chai'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { allocationsOf, bill, openShop, payWith, type Shop, totals, totalsOf } from './invoices.js'

const DECLINED = '4111111111119903'

describe('line items with a nested payment', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
    })

    it('take the payment and create the item together', async () => {
      const invoice = await bill(shop, [30])
      const path = `/invoices/${invoice.id}/items`
      const item = await core.ok('POST', path, {
        entry_type: 'payment',
        payment: { type: 'payment', amount: 12, payment_method: card() },
      })
      expect(item).to.include({ amount: -12, total: -12 })
      expect(await core.ok('GET', `/transactions/${item.transaction_id}`)).to.include({
        status: 'processed',
        customer_id: shop.customer,
        processing_id: shop.processing,
      })
      const items = [
        ...valuesOf(await core.ok('GET', path)),
        { entry_type: 'payment', payment: { type: 'payment', amount: 18 } },
      ]
      expect(await core.ok('PUT', `/invoices/${invoice.id}`, { items })).to.include(totals(30, 30, 'paid'))
    })

    it('create an invoice that is paid at once', async () => {
      const invoice = await bill(shop, [], {
        items: [
          { entry_type: 'charge', amount: 30 },
          { entry_type: 'payment', payment: { type: 'payment', amount: 30 } },
        ],
      })
      expect(invoice).to.include(totals(30, 30, 'paid'))
    })

    it('count a payment once if it is captured or voided through its item', async () => {
      const invoice = await bill(shop, [100])
      const path = `/invoices/${invoice.id}`
      const holdOn = async () => {
        const to = [{ invoice_id: idOf(invoice), amount: 30 }]
        const held = await payWith(shop, 30, to, { status: 'authorized' })
        const [item] = await allocationsOf(core, held)
        return { payment: idOf(held), item: item?.id ?? null }
      }
      const first = await holdOn()
      const second = await holdOn()
      const captured = { payment: { id: first.payment, status: 'processed' } }
      expect(await core.ok('PUT', `/line_items/${first.item}`, captured)).to.include({ total: -30 })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(100, 30, 'partially_paid'))
      const change = async (status: string) => {
        const payment = { id: second.payment, status }
        const items = valuesOf(await core.ok('GET', `${path}/items`)).map(({ id = null }) => ({
          id,
          ...(id === second.item && { payment }),
        }))
        return await core.ok('PUT', path, { items })
      }
      expect(await change('processed')).to.include(totals(100, 60, 'partially_paid'))
      expect(await change('voided')).to.include(totals(100, 30, 'partially_paid'))
    })

    it('report a declined nested payment', async () => {
      const invoice = await bill(shop, [30])
      const item = {
        entry_type: 'payment',
        payment: { type: 'payment', amount: 30, payment_method: card(DECLINED) },
      }
      const { status, body } = await core.send('POST', `/invoices/${invoice.id}/items`, item)
      expect(status).to.equal(400)
      expect(body).to.include({ error_type: 'TransactionDeclined' })
      const stored = objectOf(body.details)
      expect(stored).to.include({ object: 'line_item', amount: 0, total: 0 })
      expect(await core.ok('GET', `/transactions/${stored.transaction_id}`)).to.include({
        status: 'declined',
      })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(30, 0, 'pending'))
      await core.ok('PUT', `/line_items/${stored.id}`, { description: 'did not work' })
      await core.ok('DELETE', `/line_items/${stored.id}`)
    })
  })
})
