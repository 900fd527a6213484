import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a foreign charge with the reference of our payment', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let payment: string
    beforeEach(async () => {
      shop = await LiveShop.open(open, () => 0)
      payment = await shop.pay(await shop.account('gateway'), 20)
    })
    afterEach(async () => {
      expect(await shop.findings()).to.deep.equal([])
    })
    const forge = (amount: number) => {
      const { books } = shop.server
      const { id } = books.createMethod(new Map([['type', 'card']]))
      return books.createIntent(
        new Map([
          ['payment_method', id],
          ['allowed_payment_method_types[0]', 'card'],
          ['amount', String(amount)],
          ['metadata[reference]', payment],
        ]),
      )
    }

    for (const [what, amount] of [
      ['the same amount', 2_000],
      ['another amount', 900],
    ] as const)
      for (const order of ['before', 'after'] as const)
        it(`and ${what}, settled ${order} our payment, opens a reconciliation exception; our payment is paid out once`, async () => {
          forge(amount)
          await shop.settle((lines) => (order === 'before' ? lines.toReversed() : lines))
          const entries = await shop.list(`/transactions/${payment}/ledger`)
          expect(entries.map(({ amount: entered }) => entered)).to.deep.equal([-20])
          const [line] = await shop.list('/admin/settlement_lines', 'status=matched')
          const { gateway_id: intent } = await shop.ok(
            'GET',
            `/transactions/${payment}`,
            undefined,
            'fields=gateway_id',
          )
          expect(line).to.include({ gateway_id: intent, transaction_id: payment })
          const raised = await shop.list('/admin/exceptions')
          expect(raised.map(({ kind, amount: stake }) => `${kind} ${stake}`)).to.deep.equal([
            `settlement_differs ${amount / 100}`,
          ])
          expect(await shop.books()).to.include({ suspense: amount })
        })

    it('does not change our payment when the charge is cancelled at the gateway', async () => {
      const forged = forge(2_000)
      Object.assign(forged, { status: 'canceled', amount_received: 0 })
      await shop.say('payment_intent.canceled', forged)
      expect(await shop.read(payment)).to.include({ status: 'processed' })
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
    })
  })
})
