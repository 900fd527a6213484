import { expect } from 'chai'
import { onEachDatabase } from '../../support/databases.js'
import { LiveShop } from '../settlements/live-shop.js'

describe('what becomes of an operation at Stripe after its answer', () => {
  onEachDatabase((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
    })
    afterEach(async () => {
      expect(await shop.findings()).to.deep.equal([])
    })
    const exceptions = async () =>
      (await shop.list('/admin/exceptions')).map(({ kind, amount, status }) => `${kind} ${amount} ${status}`)
    /** The refund that was made last has failed: the bank of the payer sent it back. */
    const failRefund = async () => {
      const refund = shop.server.books.refunds.at(-1)
      if (!refund) throw new Error('There is no refund')
      Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
      for (let times = 0; times < 2; times++) await shop.say('refund.failed', refund)
    }

    it('is an exception where a refund fails that was approved', async () => {
      const payment = await shop.pay(account, 10)
      const refund = await shop.refund(payment, 4)
      await failRefund()
      expect(await exceptions()).to.deep.equal(['amount_differs 4 open'])
      expect((await shop.list('/admin/exceptions'))[0]).to.include({ transaction_id: refund })
    })

    it('is an exception where the refund fails that has voided a payment', async () => {
      const payment = await shop.pay(account, 10)
      expect(await shop.ok('PUT', `/transactions/${payment}`, { status: 'voided' })).to.include({
        status: 'voided',
      })
      await failRefund()
      expect(await exceptions()).to.deep.equal(['amount_differs 10 open'])
      expect((await shop.list('/admin/exceptions'))[0]).to.include({ transaction_id: payment })
    })
  })
})
