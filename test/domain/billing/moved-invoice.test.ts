import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeProcessing } from '../../support/examples.js'
import { become, bill, openShop, payWith, type Shop, totals, totalsOf } from './invoices.js'

describe("the account that receives an invoice's payments", () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let elsewhere: string
    let invoice: JsonObject
    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      elsewhere = await makeProcessing(core, 'Elsewhere')
    })
    beforeEach(async () => {
      invoice = await bill(shop, [10])
    })
    afterEach(async () => {
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
    const move = () => core.send('PUT', `/invoices/${idOf(invoice)}`, { processing_id: elsewhere })
    const refusal = (payment: JsonObject) => ({
      processing_id: `Cannot be changed while ${idOf(payment)} may pay it, which goes to the account that it has`,
    })
    const simulate = (event: string, payment: JsonObject) =>
      core.ok('POST', '/admin/simulate', { event, transaction_id: idOf(payment) })

    it('cannot change while an authorized payment waits for it', async () => {
      const held = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }], { status: 'authorized' })
      expect((await move()).body.details).to.deep.equal(refusal(held))
      await become(core, held, 'processed')
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 10, 'paid'))
    })

    it('cannot change while a dispute of its payment can still be won', async () => {
      const paid = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }])
      await simulate('chargeback', paid)
      expect((await move()).body.details).to.deep.equal(refusal(paid))
      await simulate('dispute_won', paid)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 10, 'paid'))
    })

    it('can change after its payment was voided', async () => {
      const paid = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }])
      await become(core, paid, 'voided')
      expect((await move()).body).to.include({ processing_id: elsewhere })
    })

    it('can change after its payment was refunded completely', async () => {
      const paid = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }])
      const ledger = [{ assoc_transaction_id: idOf(paid) }]
      await core.ok('POST', '/transactions', { type: 'refund', amount: 10, ledger })
      expect((await move()).body).to.include({ processing_id: elsewhere, total_paid: 0 })
      const again = { type: 'payment', amount: 10, payment_method: card(), processing_id: elsewhere }
      await core.ok('POST', '/transactions', { ...again, allocations: [{ invoice_id: idOf(invoice) }] })
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(10, 10, 'paid'))
    })

    it('can change after the bank returned its payment, which is final', async () => {
      const paid = await payWith(shop, 10, [{ invoice_id: idOf(invoice) }], { payment_method: bankAccount() })
      await simulate('return', paid)
      expect((await move()).body).to.include({ processing_id: elsewhere })
    })

    it('can change after its payment was declined', async () => {
      const payment = { type: 'payment', amount: 10, payment_method: card('4111111111119903') }
      const item = { invoice_id: idOf(invoice), entry_type: 'payment', payment }
      expect((await core.send('POST', '/line_items', item)).body.error_type).to.equal('TransactionDeclined')
      expect((await move()).body).to.include({ processing_id: elsewhere })
    })
  })
})
