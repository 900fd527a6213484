import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

/** A card whose payer has to authenticate. */
const AUTHENTICATED = '4000002760003184'

describe('a change at Stripe after the answer to an operation', () => {
  onDatabases((open) => {
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
    /** Makes a payment whose payer does not authenticate in time; returns its payment intent at Stripe. */
    const abandoned = async () => {
      const payment_method = card(AUTHENTICATED)
      const body = { type: 'payment', amount: 10, processing_id: account, payment_method }
      const { id, status } = await shop.ok('POST', '/transactions', body)
      expect(status).to.equal('processing')
      await shop.wait(1)
      await shop.reconcile()
      const declined = { status: 'declined', status_code: 'authentication_required' }
      expect(await shop.read(String(id))).to.include(declined)
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      expect(intent.status).to.equal('canceled')
      return intent
    }
    /** Marks the latest refund as failed: the payer's bank has sent it back. */
    const failRefund = () => {
      const refund = shop.server.books.refunds.at(-1)
      if (!refund) throw new Error('There is no refund')
      Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
      return refund
    }
    const tellOf = async (refund: object) => {
      for (let times = 0; times < 2; times++) await shop.say('refund.failed', refund)
    }

    it('returns the money if Stripe takes a payment that was cancelled and declined', async () => {
      const intent = await abandoned()
      shop.server.books.settle(intent.id)
      for (let times = 0; times < 2; times++) await shop.say('payment_intent.succeeded', intent)
      expect(await exceptions()).to.deep.equal(['late_approval 10 resolved'])
      expect(shop.server.books.balance).to.equal(0)
      await shop.settle()
      expect(await exceptions()).to.deep.equal(['late_approval 10 resolved'])
    })

    it('lets an operator return the money if only a settlement shows that it was taken', async () => {
      const intent = await abandoned()
      shop.server.books.settle(intent.id)
      await shop.settle()
      const [raised] = await shop.list('/admin/exceptions')
      expect(raised).to.include({ kind: 'late_approval', amount: 10, status: 'open' })
      await shop.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, {
        resolution: 'refund',
        reason: 'declined',
      })
      expect(shop.server.books.balance).to.equal(0)
      expect(await exceptions()).to.deep.equal(['late_approval 10 resolved'])
    })

    it('is accepted only from the platform account that the payment belongs to', async () => {
      const merchant = { processing_id: account, merchant: 'acct_2' }
      await shop.ok('PUT', '/admin/gateway_routes', { default: 'cards', ...merchant })
      const payment = await shop.pay(account, 10)
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      // Another account on the platform uses the reference of our payment.
      const forged = shop.server.books.createIntent(
        new Map([
          ['payment_method', shop.server.books.createMethod(new Map([['type', 'card']])).id],
          ['allowed_payment_method_types[0]', 'card'],
          ['amount', '1000'],
          ['metadata[reference]', payment],
        ]),
      )
      shop.server.accounts.set(forged.id, 'acct_3')
      const theirs = shop.server.books.dispute(forged.id)
      await shop.say('charge.dispute.created', theirs, { account: 'acct_3' })
      Object.assign(forged, { status: 'canceled' })
      await shop.say('payment_intent.canceled', forged, { account: 'acct_3' })
      expect(await shop.read(payment)).to.include({ status: 'processed' })
      const ours = shop.server.books.dispute(intent.id)
      for (let times = 0; times < 2; times++)
        await shop.say('charge.dispute.created', ours, { account: 'acct_2' })
      expect(await shop.read(payment)).to.include({ status: 'rejected' })
      expect(await exceptions()).to.deep.equal([])
      expect(await shop.list('/admin/gateway_notifications', 'status=waiting')).to.deep.equal([])
    })

    const refundFailed = 'refund_failed 4 open'

    it('declines a refund that fails late, restores the refundable balance, and opens a reconciliation exception', async () => {
      const payment = await shop.pay(account, 10)
      const refund = await shop.refund(payment, 4)
      const failed = failRefund()
      await tellOf(failed)
      expect(await exceptions()).to.deep.equal([refundFailed])
      expect(await shop.read(refund)).to.include({ status: 'declined', status_code: 'declined' })
      expect(await refundedOf(payment)).to.equal(0)
      expect(await shop.read(payment)).to.include({ funding_status: 'pending' })
      const [raised] = await shop.list('/admin/exceptions')
      expect(raised).to.deep.include({
        transaction_id: refund,
        resolutions: ['retry', 'paid_otherwise', 'failed'],
      })
      await shop.settle()
      expect(await exceptions()).to.deep.equal([refundFailed])
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
    })

    it('opens a reconciliation exception that an operator resolves by sending the refund again', async () => {
      const payment = await shop.pay(account, 10)
      await shop.refund(payment, 10)
      const failed = failRefund()
      await tellOf(failed)
      await resolve('retry')
      expect(await exceptions()).to.deep.equal(['refund_failed 10 resolved'])
      expect(await refundedOf(payment)).to.equal(10)
      expect(await shop.read(payment)).to.include({ funding_status: 'refunded' })
      expect(shop.server.books.refunds.filter(({ status }) => status === 'succeeded')).to.have.length(1)
      await shop.settle()
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
    })

    it('opens a reconciliation exception that stays open while the repeated refund is refused', async () => {
      await shop.refund(await shop.pay(account, 10), 4)
      await tellOf(failRefund())
      shop.server.trouble('POST /v1/refunds', 'too_many')
      const [raised] = await shop.list('/admin/exceptions')
      await shop.send('POST', `/admin/exceptions/${raised?.id}/resolve`, {
        resolution: 'retry',
        reason: 'so',
      })
      await (await shop.core.app.environment('live')).reconcile(0)
      expect(await exceptions()).to.deep.equal([refundFailed])
    })

    it('opens a reconciliation exception that is resolved if the payer was paid in another way', async () => {
      const payment = await shop.pay(account, 10)
      await shop.refund(payment, 4)
      const failed = failRefund()
      await tellOf(failed)
      const owed = (await shop.books()).merchant_payable
      await resolve('paid_otherwise')
      expect(await refundedOf(payment)).to.equal(4)
      expect((await shop.books()).merchant_payable).to.equal(owed)
      await shop.settle()
      expect(await exceptions()).to.deep.equal(['refund_failed 4 resolved'])
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
    })

    it('declines a refund made by hand on a platform account if the refund fails after it was linked', async () => {
      const { payment, refund } = await refundByHand()
      const link = { resolution: 'link', transaction_id: payment, reason: 'refunded by phone' }
      const [raised] = await shop.list('/admin/exceptions')
      await shop.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, link)
      failRefund()
      await shop.say('refund.failed', refund, { account: 'acct_2' })
      expect(await exceptions()).to.have.members(['amount_differs 4 resolved', refundFailed])
      expect(await refundedOf(payment)).to.equal(0)
    })

    it('resolves the exception about a refund by hand if the refund fails before an operator decides', async () => {
      const { refund } = await refundByHand()
      failRefund()
      await shop.say('refund.failed', refund, { account: 'acct_2' })
      expect(await exceptions()).to.deep.equal(['amount_differs 4 resolved'])
    })

    it('undoes the loss that was booked for a refund by hand, if the refund fails', async () => {
      const { refund } = await refundByHand()
      await resolve('loss')
      expect(await shop.books()).to.include({ chargeback_loss: -400 })
      failRefund()
      await shop.say('refund.failed', refund, { account: 'acct_2' })
      expect(await shop.books()).to.not.have.any.keys('chargeback_loss')
    })

    it('declines a refund that failed late, even if only a settlement shows the failure', async () => {
      const payment = await shop.pay(account, 10)
      const refund = await shop.refund(payment, 4)
      failRefund()
      await shop.settle()
      expect(await exceptions()).to.deep.equal([refundFailed])
      expect(await shop.read(refund)).to.include({ status: 'declined' })
      expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
    })

    for (const choice of ['retry', 'paid_otherwise'] as const)
      it(`opens a reconciliation exception if the refund that voided a payment fails, resolved by ${choice}`, async () => {
        const payment = await shop.pay(account, 10)
        expect(await shop.ok('PUT', `/transactions/${payment}`, { status: 'voided' })).to.include({
          status: 'voided',
        })
        const failed = failRefund()
        await tellOf(failed)
        expect(await exceptions()).to.deep.equal(['refund_failed 10 open'])
        expect((await shop.list('/admin/exceptions'))[0]).to.include({ transaction_id: payment })
        await shop.settle()
        expect(await exceptions()).to.deep.equal(['refund_failed 10 open'])
        expect(await shop.books()).to.not.have.any.keys('suspense')
        await resolve(choice)
        await shop.settle()
        expect(await exceptions()).to.deep.equal(['refund_failed 10 resolved'])
        expect(await shop.books()).to.not.have.any.keys('suspense', 'processor_clearing')
      })

    /** Returns the refunded amount of a payment, from its ledger. */
    async function refundedOf(payment: string): Promise<number> {
      const entries = await shop.list(`/transactions/${payment}/ledger`)
      const refunds = entries.filter(({ entry_type: type }) => type === 'refund')
      return refunds.reduce((sum, { amount }) => sum - Number(amount), 0)
    }

    async function resolve(resolution: string): Promise<void> {
      const [raised] = await shop.list('/admin/exceptions', 'status=open')
      const reason = 'as the payer says'
      await shop.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, { resolution, reason })
    }

    /** Makes a refund of 4.00 in the dashboard of the merchant; returns it with its payment. */
    async function refundByHand() {
      const merchant = { processing_id: account, merchant: 'acct_2' }
      await shop.ok('PUT', '/admin/gateway_routes', { default: 'cards', ...merchant })
      const payment = await shop.pay(account, 10)
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      const form = { payment_intent: intent.id, amount: '400' }
      const refund = shop.server.books.createRefund(new Map(Object.entries(form)))
      shop.server.accounts.set(refund.id, 'acct_2')
      await shop.say('refund.updated', refund, { account: 'acct_2' })
      return { payment, refund }
    }
  })
})
