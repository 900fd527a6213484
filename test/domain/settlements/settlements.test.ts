import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('settlements of a gateway', () => {
  onDatabases((open) => {
    let shop: LiveShop
    beforeEach(async () => {
      shop = await LiveShop.open(open)
    })
    const exceptions = async () =>
      (await shop.list('/admin/exceptions')).map(({ kind, amount, status }) => `${kind} ${amount} ${status}`)
    const ledger = async (id: string) =>
      (await shop.list(`/transactions/${id}/ledger`)).map(
        ({ entry_type, amount }) => `${entry_type} ${amount}`,
      )

    it('are stored with matched lines and booked fees, and cause no deposit by themselves', async () => {
      const account = await shop.account(null)
      const paid = await shop.pay(account, 29.99)
      const gone = await shop.pay(account, 10)
      const refund = await shop.refund(gone, 4)
      await shop.settle()
      const [settlement, ...more] = await shop.list('/admin/settlements')
      expect(more).to.deep.equal([])
      expect(settlement).to.include({ gateway: 'cards', gross: 35.99, fees: 1.76, net: 34.23, line_count: 3 })
      const lines = await shop.list('/admin/settlement_lines')
      expect(lines.map(({ kind, status, transaction_id: id }) => `${kind} ${status} ${id}`)).to.have.members([
        `payment matched ${paid}`,
        `payment matched ${gone}`,
        `refund matched ${refund}`,
      ])
      expect(await shop.read(paid)).to.include({ funding_status: 'captured' })
      expect(await shop.books()).to.deep.equal({
        merchant_payable: 2999 + 600 - 117 - 59,
        fee_income: 176,
        processor_cost: -176,
        cash: -3423,
      })
      await shop.wait(24 * 40)
      expect(await shop.list('/transactions', 'type=deposit|reversal')).to.deep.equal([])
      expect(await exceptions()).to.deep.equal([])
      expect(await shop.findings()).to.deep.equal([])
    })

    it('make a deposit for an account that the gateway pays out, from their lines', async () => {
      const account = await shop.account('gateway', { credit_conv_fee_alloc: 50 })
      const paid = await shop.pay(account, 29.99)
      const refunded = await shop.pay(account, 10)
      await shop.settle()
      const [deposit] = await shop.list('/transactions', 'type=deposit')
      // Payers were charged 30.58 and 10.30, of which the gateway kept 1.19 and 0.60.
      expect(deposit).to.include({ amount: 39.09, fee: 0.9, status: 'processed' })
      expect(await ledger(String(deposit?.id))).to.deep.equal(['payment 10', 'payment 29.99'])
      expect(await shop.read(paid)).to.include({ funding_status: 'batched' })
      await shop.refund(refunded, 10)
      expect(await shop.list('/transactions', 'type=reversal')).to.deep.equal([])
      await shop.settle()
      expect(await ledger(refunded)).to.deep.equal(['deposit -10', 'refund -10', 'reversal 10'])
      expect(await shop.list('/transactions', 'type=reversal')).to.have.length(1)
      const books = await shop.books()
      expect(books).to.not.have.any.keys('processor_clearing', 'bank_in_transit', 'cash', 'suspense')
      expect(books.processor_cost).to.equal(-shop.payouts.fees)
      expect(await shop.findings()).to.deep.equal([])
    })

    it('open reconciliation exceptions for different amounts, unknown lines, and payments without a line', async () => {
      const account = await shop.account('gateway')
      await shop.pay(account, 20)
      const left = await shop.pay(account, 30)
      await shop.settle((lines) => [
        ...lines
          .filter(({ amount }) => amount !== 3000)
          .map((line) => ({ ...line, amount: line.amount - 1 })),
        shop.payouts.stray('po_0001', 'charge', 500),
      ])
      expect(await exceptions()).to.have.members([
        'settlement_differs 0.01 open',
        'settlement_differs 5 open',
      ])
      expect(await shop.books()).to.include({ processor_clearing: -3001, suspense: 500 })
      expect(await shop.findings()).to.deep.equal([])
      shop.time.now += 20 * 86_400_000
      await shop.pay(account, 40)
      await shop.settle()
      expect(await exceptions()).to.include('settlement_differs 30 open')
      expect((await shop.list('/admin/exceptions')).at(-1)).to.include({ transaction_id: left })
      expect(await shop.findings()).to.deep.equal([])
    })

    it('open a reconciliation exception for a second line about a fully settled transaction', async () => {
      const account = await shop.account('gateway')
      const paid = await shop.pay(account, 20)
      await shop.settle((lines) => lines.flatMap((line) => [line, { ...line, id: `${line.id}_again` }]))
      const lines = await shop.list('/admin/settlement_lines')
      expect(lines.map(({ status, transaction_id: id }) => `${status} ${id}`)).to.deep.equal([
        `matched ${paid}`,
        `unmatched ${paid}`,
      ])
      expect(await exceptions()).to.deep.equal(['settlement_differs 20 open'])
      expect(await shop.books()).to.include({ suspense: 2000 })
      expect(await shop.findings()).to.deep.equal([])
    })

    it('have no effect when read again; lines of a payment without an outcome are matched later', async () => {
      const account = await shop.account('gateway')
      shop.server.trouble('POST /v1/payment_intents', 'lost_after')
      const lost = await shop.pay(account, 20)
      expect(await shop.read(lost)).to.include({ status: 'processing' })
      await shop.settle()
      expect(await shop.list('/admin/settlement_lines')).to.have.length(1)
      expect(await shop.books()).to.include({ suspense: 2000 })
      await (await shop.core.app.environment('live')).reconcile(0)
      await shop.wait(7)
      expect((await shop.list('/admin/settlement_lines'))[0]).to.include({
        status: 'matched',
        transaction_id: lost,
      })
      expect(await shop.read(lost)).to.include({ status: 'processed', funding_status: 'batched' })
      const books = await shop.books()
      expect(books).to.not.have.any.keys('suspense', 'processor_clearing', 'cash')
      await forgetCursor()
      await shop.wait(7)
      expect(await shop.books()).to.deep.equal(books)
      expect(await exceptions()).to.deep.equal([])
      expect(await shop.findings()).to.deep.equal([])
    })

    it('can have unknown lines, which an operator links to a transaction or books as a loss', async () => {
      const account = await shop.account('none')
      const paid = await shop.pay(account, 20)
      await shop.settle((lines) => [
        ...lines.map((line) => ({ ...line, source: null })),
        shop.payouts.stray('po_0001', 'adjustment', -500),
      ])
      const raised = await shop.list('/admin/exceptions')
      const resolve = async (amount: number, body: JsonObject) => {
        const { id } = raised.find((each) => each.amount === amount) ?? {}
        await shop.ok('POST', `/admin/exceptions/${id}/resolve`, { reason: 'as the bank says', ...body })
      }
      await resolve(20, { resolution: 'link', transaction_id: paid })
      await resolve(5, { resolution: 'loss' })
      await shop.wait(7)
      const lines = await shop.list('/admin/settlement_lines', `transaction_id=${paid}`)
      expect(lines.map(({ status }) => status)).to.deep.equal(['matched'])
      expect(await shop.books()).to.include({ chargeback_loss: -500 })
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
      expect(await shop.findings()).to.deep.equal([])
    })

    it('are read as soon as the gateway notifies of a payout', async () => {
      await shop.pay(await shop.account('none'), 20)
      await shop.wait(1)
      const id = shop.payouts.payOut(shop.time.now)
      await (await shop.core.app.environment('live')).runDueJobs()
      expect(await shop.list('/admin/settlements')).to.deep.equal([])
      await shop.say('payout.paid', { id, object: 'payout' })
      shop.time.now += 2_000
      await (await shop.core.app.environment('live')).runDueJobs()
      expect((await shop.list('/admin/settlements')).map(({ gateway_id }) => gateway_id)).to.deep.equal([id])
    })

    async function forgetCursor(): Promise<void> {
      const { core } = await shop.core.app.environment('live')
      await core.write(({ tx }) =>
        tx.db.updateTable('admin_gateways').set({ settlements_cursor: null }).execute(),
      )
    }
  })
})
