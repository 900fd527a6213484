import { expect } from 'chai'
import type { StripeTrouble } from '../../gateways/stripe/stripe-server.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a settlement with a payment whose change has no outcome yet', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account('gateway')
    })

    /** Changes a payment, loses the answer, and reads a settlement before the outcome. Returns the payment. */
    const settleBeforeKnown = async (
      { call, trouble }: { readonly call: (there: string) => string; readonly trouble: StripeTrouble },
      change: (id: string) => Promise<unknown>,
      more = {},
    ) => {
      await shop.pay(account, 50)
      const id = await shop.pay(account, 20, more)
      const { gateway_id: there } = await shop.ok(
        'GET',
        `/transactions/${id}`,
        undefined,
        'fields=gateway_id',
      )
      shop.server.trouble(call(String(there)), trouble)
      await change(id)
      await shop.settle()
      const lines = await shop.list('/admin/settlement_lines', `transaction_id=${id}&limit=10`)
      expect(lines.length).to.be.greaterThan(0)
      expect(new Set(lines.map(({ status }) => status))).to.deep.equal(new Set(['waiting']))
      expect(await shop.findings()).to.deep.equal([])
      shop.time.now += 20 * 60_000
      await shop.reconcile()
      await shop.settle()
      return id
    }
    const expectPaidOut = async () => {
      expect(await shop.findings()).to.deep.equal([])
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
      const moved = await shop.list('/transactions', 'type=deposit|reversal&order_by=id')
      const sum = moved.reduce(
        (all, { type, amount }) => (type === 'deposit' ? all + Number(amount) : all - Number(amount)),
        0,
      )
      expect(Math.round(sum * 100)).to.equal(shop.payouts.paidOut)
    }

    for (const [trouble, status] of [
      ['lost_after', 'voided'],
      ['lost_before', 'processed'],
    ] as const)
      it(`is booked by the outcome as soon as that is found: a void (${trouble})`, async () => {
        const call = () => 'POST /v1/refunds'
        const id = await settleBeforeKnown({ call, trouble }, (payment) =>
          shop.send('PUT', `/transactions/${payment}`, { status: 'voided' }),
        )
        expect(await shop.read(id)).to.include({ status })
        await expectPaidOut()
      })

    it('is booked by the outcome as soon as that is found: a partial capture', async () => {
      const call = (there: string) => `POST /v1/payment_intents/${there}/capture`
      const id = await settleBeforeKnown(
        { call, trouble: 'lost_after' },
        (payment) => shop.send('POST', `/transactions/${payment}/capture`, { amount: 12 }),
        { status: 'authorized' },
      )
      expect(await shop.read(id)).to.include({ status: 'processed', amount: 12 })
      await expectPaidOut()
    })
  })
})
