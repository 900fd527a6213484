import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

const DAY = 86_400_000

describe('a gateway account with years of history that other programs also use', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account('gateway')
    })

    /** Makes charges of another program; amounts in cents. */
    const takeForeign = (amounts: readonly number[]) => {
      const { books } = shop.server
      for (const amount of amounts) {
        const { id } = books.createMethod(new Map([['type', 'card']]))
        books.createIntent(
          new Map([
            ['payment_method', id],
            ['allowed_payment_method_types[0]', 'card'],
            ['amount', String(amount)],
            ['metadata[shop]', 'another'],
          ]),
        )
      }
    }
    const lines = async (query: string) => await shop.list('/admin/settlement_lines', query)
    const minor = (value: JsonObject[string] | undefined) => Math.round(Number(value ?? 0) * 100)

    it('has 200 foreign charges stored as one settlement line, which is booked to outside', async () => {
      const paid = await shop.pay(account, 20)
      takeForeign(Array.from({ length: 200 }, (_, n) => 1_000 + n))
      await shop.settle()
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      const [foreign, ...more] = await lines('kind=foreign')
      expect(more).to.deep.equal([])
      expect(foreign).to.include({ count: 200, status: 'matched', booked: 'outside', transaction_id: null })
      expect(await shop.read(paid)).to.include({ funding_status: 'batched' })
      const [deposit] = await shop.list('/transactions', 'type=deposit')
      const outside = minor(foreign?.amount) - minor(foreign?.fee)
      expect(minor(deposit?.amount) + outside).to.equal(shop.payouts.paidOut)
      const books = await shop.books()
      expect(books).to.include({ outside, cash: -outside })
      expect(books).to.not.have.any.keys('suspense', 'processor_clearing')
      expect(books.processor_cost).to.equal(minor(foreign?.fee) - shop.payouts.fees)
      expect(await shop.findings()).to.deep.equal([])
    })

    it('keeps the same books if a payout with foreign charges is read again', async () => {
      await shop.pay(account, 20)
      takeForeign([1_000, 2_000])
      await shop.settle()
      const before = await shop.books()
      const { core } = await shop.core.app.environment('live')
      await core.write(({ tx }) =>
        tx.db.updateTable('admin_gateways').set({ settlements_cursor: null }).execute(),
      )
      await shop.wait(7)
      expect(await shop.books()).to.deep.equal(before)
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      expect(await lines('kind=foreign')).to.have.length(1)
    })

    it('is read from its connection on: 400 days of earlier payouts are ignored', async () => {
      for (let days = 400; days > 0; days -= 100) {
        takeForeign([1_000 + days])
        shop.payouts.payOut(shop.time.now - days * DAY)
      }
      await shop.pay(account, 20)
      await shop.settle()
      expect(await shop.list('/admin/settlements')).to.have.length(1)
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
    })

    it('is read from an earlier time if an operator sets one', async () => {
      const since = '2029-12-01 00:00:00'
      const { core } = await shop.core.app.environment('live')
      await core.write(({ tx }) => tx.any.updateTable('admin_gateways').set({ since }).execute())
      for (const days of [100, 10]) {
        takeForeign([1_000 + days])
        shop.payouts.payOut(shop.time.now - days * DAY)
      }
      await shop.wait(7)
      expect(await shop.list('/admin/settlements')).to.have.length(1)
    })

    it('opens a reconciliation exception for a refund of our payment by hand, which is no foreign line', async () => {
      const payment = await shop.pay(account, 20)
      const { gateway_id: intent } = await shop.ok(
        'GET',
        `/transactions/${payment}`,
        undefined,
        'fields=gateway_id',
      )
      takeForeign([1_000])
      shop.server.books.createRefund(
        new Map([
          ['payment_intent', String(intent)],
          ['amount', '500'],
        ]),
      )
      await shop.settle()
      expect(
        (await shop.list('/admin/exceptions')).map(({ kind, amount }) => `${kind} ${amount}`),
      ).to.deep.equal(['settlement_differs 5'])
      expect((await lines('kind=foreign')).map(({ count }) => count)).to.deep.equal([1])
    })
  })
})
