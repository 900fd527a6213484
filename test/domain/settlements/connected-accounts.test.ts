import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a merchant with its own account on a Stripe platform', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open, () => 0)
      account = await shop.account('gateway')
      const route = { default: 'cards', processing_id: account, merchant: 'acct_b' }
      await shop.ok('PUT', '/admin/gateway_routes', route)
    })
    const payOut = () => {
      shop.payouts.payOut(shop.time.now)
      return Object.assign(shop.server.payouts.at(-1) ?? {}, { account: 'acct_b' })
    }

    it('is paid by the payouts of its own account, also on the day of the connection', async () => {
      const payment = await shop.pay(account, 20)
      payOut()
      await shop.wait(7)
      const [settlement] = await shop.list('/admin/settlements')
      expect(settlement).to.include({ merchant: 'acct_b', net: 20 })
      expect(settlement?.settled_at).to.equal('2030-01-15 00:00:00')
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      expect(await shop.findings()).to.deep.equal([])
    })

    it('has its events polled, so a dispute is recorded without a notification', async () => {
      const payment = await shop.pay(account, 20)
      const taken = shop.server.books.intents.at(-1)
      if (!taken) throw new Error('There is no payment')
      const dispute = shop.server.books.dispute(taken.id)
      shop.server.notification('charge.dispute.created', dispute, { account: 'acct_b' })
      await shop.reconcile()
      expect(await shop.read(payment)).to.include({ status: 'rejected' })
      expect(await shop.findings()).to.deep.equal([])
    })

    it('gets an exception when its payout fails', async () => {
      const payment = await shop.pay(account, 20)
      const payout = payOut()
      await shop.wait(7)
      Object.assign(payout, { status: 'failed', failure_code: 'account_closed' })
      await shop.wait(7)
      expect(await shop.read(payment)).to.include({ funding_status: 'captured' })
      const raised = await shop.list('/admin/exceptions')
      expect(raised.map(({ kind, amount }) => `${kind} ${amount}`)).to.deep.equal(['payout_failed 20'])
    })
  })
})
