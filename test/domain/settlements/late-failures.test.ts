import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a refund that fails after its approval', () => {
  onDatabases((open) => {
    let shop: LiveShop
    const begin = async (payouts: 'gateway' | 'none' | null, mode: 'live' | 'test' = 'live') => {
      shop = await LiveShop.open(open, () => 0, mode)
      return await shop.account(payouts)
    }
    afterEach(async () => {
      expect(await shop.findings()).to.deep.equal([])
    })
    const refundAt = async (refund: string) => {
      const { gateway_id: id } = await shop.ok(
        'GET',
        `/transactions/${refund}`,
        undefined,
        'fields=gateway_id',
      )
      const found = shop.server.books.refunds.find((each) => each.id === id)
      if (!found) throw new Error(`There is no refund ${id}`)
      return found
    }
    /** Lets an approved refund fail at the gateway, which sends a notification. */
    const fail = async (refund: string) => {
      const found = await refundAt(refund)
      Object.assign(found, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
      await shop.say('refund.failed', found)
    }
    const open1 = async (): Promise<JsonObject> => {
      const raised = await shop.list('/admin/exceptions', 'status=open&kind=refund_failed')
      expect(raised).to.have.length(1)
      return raised[0] ?? {}
    }
    const resolve = async (exception: string, resolution: string) =>
      await shop.send('POST', `/admin/exceptions/${exception}/resolve`, { resolution, reason: 'so' })
    const decide = async (resolution: string) => await resolve(idOf(await open1()), resolution)

    for (const payouts of ['gateway', 'none'] as const)
      for (const resolution of ['retry', 'paid_otherwise', 'failed'] as const)
        it(`can be resolved as ${resolution} if the rest was charged back, with payouts ${payouts}`, async () => {
          const account = await begin(payouts)
          const payment = await shop.pay(account, 20)
          await shop.settle()
          const refund = await shop.refund(payment, 5)
          const taken = shop.server.books.intents.find(({ metadata }) => metadata['reference'] === payment)
          if (!taken) throw new Error('There is no payment')
          const dispute = shop.server.books.dispute(taken.id, {
            amount: 1_500,
            balance_transactions: [{ amount: -1_500, fee: 0 }],
          })
          await shop.say('charge.dispute.created', dispute)
          expect(await shop.read(payment)).to.include({ status: 'rejected' })
          await fail(refund)
          expect(await shop.read(refund)).to.include({ status: 'declined' })
          expect((await decide(resolution)).status).to.equal(200)
          // The refundable rest is zero, or only the amount of the failed refund.
          const left = resolution === 'failed' ? 5 : 0
          const more = { type: 'refund', amount: left + 1, ledger: [{ assoc_transaction_id: payment }] }
          expect((await shop.send('POST', '/transactions', more)).status).to.equal(400)
          await shop.settle()
          expect(await shop.list('/admin/exceptions', 'status=open')).to.deep.equal([])
          expect(await shop.read(payment)).to.include({ status: 'rejected', funding_status: 'reversed' })
          expect(await shop.books()).to.not.have.any.keys('suspense')
        })

    it('is sent again once by simultaneous requests, and again after another failure', async () => {
      const account = await begin('gateway')
      const payment = await shop.pay(account, 20)
      await shop.settle()
      const refund = await shop.refund(payment, 20)
      await fail(refund)
      const exception = idOf(await open1())
      const resolutions = ['retry', 'retry', 'retry']
      const answers = await Promise.all(resolutions.map((each) => resolve(exception, each)))
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1)
      const [, again, ...more] = await shop.list('/transactions', 'type=refund&order_by=id')
      expect(more).to.deep.equal([])
      expect(again).to.include({ status: 'processed' })
      await fail(idOf(again ?? {}))
      expect((await decide('retry')).status).to.equal(200)
      await shop.settle()
      expect(await shop.read(payment)).to.include({ funding_status: 'refunded' })
    })

    it('is booked once if it is sent again and paid otherwise simultaneously', async () => {
      const account = await begin('gateway')
      const payment = await shop.pay(account, 20)
      await shop.settle()
      await fail(await shop.refund(payment, 20))
      const exception = idOf(await open1())
      const resolutions = ['retry', 'paid_otherwise']
      const answers = await Promise.all(resolutions.map((each) => resolve(exception, each)))
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).to.have.length(1)
      expect(await shop.list('/transactions', 'type=refund')).to.have.length(2)
      await shop.settle()
      expect(await shop.read(payment)).to.include({ funding_status: 'refunded' })
    })

    for (const resolution of ['retry', 'paid_otherwise', 'failed'] as const)
      it(`of a payment without an amount left can only be resolved as failed: ${resolution}`, async () => {
        const account = await begin('gateway')
        const payment = await shop.pay(account, 20)
        await shop.settle()
        const first = await shop.refund(payment, 8)
        await shop.refund(payment, 12)
        await fail(first)
        await shop.refund(payment, 8)
        const answer = await decide(resolution)
        expect(answer.status).to.equal(resolution === 'failed' ? 200 : 400)
        if (resolution !== 'failed') {
          expect((await open1()).pending_operation ?? null).to.equal(null)
          expect((await decide('failed')).status).to.equal(200)
        }
        await shop.settle()
        expect(await shop.read(payment)).to.include({ funding_status: 'refunded' })
      })

    it('leaves its payment marked as paid out if the payout with that payment was below zero', async () => {
      const account = await begin('gateway')
      const payment = await shop.pay(account, 20)
      await shop.settle((lines, payout) => [...lines, shop.payouts.stray(payout, 'adjustment', -3_000)])
      const [payout] = await shop.list('/transactions', 'type=deposit|reversal')
      expect(payout).to.include({ type: 'reversal', amount: 10 })
      const refund = await shop.refund(payment, 20)
      await fail(refund)
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
    })

    it('is deposited again, once, for an account that the funding run pays', async () => {
      const account = await begin(null, 'test')
      const payment = await shop.pay(account, 20)
      await shop.wait(30)
      const refund = await shop.refund(payment, 20)
      await shop.wait(30)
      await fail(refund)
      await shop.wait(72)
      const moved = await shop.list('/transactions', 'type=deposit|reversal&order_by=id')
      expect(moved.map(({ type, amount }) => `${type} ${amount}`)).to.deep.equal([
        'deposit 19.12',
        'reversal 20',
        'deposit 20',
      ])
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
    })
  })
})
