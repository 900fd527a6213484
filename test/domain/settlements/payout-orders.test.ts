import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

const DAY = 86_400_000
/** A charge with the reference of a payment that does not exist here. */
const STRANGE = {
  id: 'py_x',
  object: 'charge',
  payment_intent: 'pi_elsewhere',
  metadata: { reference: 'txn_FromElsewhere000' },
}

describe('payouts that fail', () => {
  onDatabases((open) => {
    const minor = (value: JsonObject[string] | undefined) => Math.round(Number(value ?? 0) * 100)
    const payoutNamed = (shop: LiveShop, id: string) => {
      const found = shop.server.payouts.find((each) => each.id === id)
      if (!found) throw new Error(`There is no payout ${id}`)
      return found
    }
    /** Marks a payout as failed at the gateway, without a notification. */
    const fail = (shop: LiveShop, id: string) => {
      Object.assign(payoutNamed(shop, id), { status: 'failed', failure_code: 'account_closed' })
    }
    const payAgain = async (shop: LiveShop, id: string) => {
      const failed = payoutNamed(shop, id)
      await shop.settle((lines, payout) => [
        ...lines,
        shop.payouts.stray(payout, 'payout_failure', Number(failed['amount']), failed),
      ])
      return String(shop.server.payouts.at(-1)?.['id'])
    }
    const moved = async (shop: LiveShop, query = '') =>
      (await shop.list('/transactions', `type=deposit|reversal&order_by=id&limit=1000${query}`)).reduce(
        (sum, { type, amount }) => sum + (type === 'deposit' ? minor(amount) : -minor(amount)),
        0,
      )

    it('do not change deposits that the funding run made', async () => {
      const shop = await LiveShop.open(open, undefined, 'test')
      const account = await shop.account(null)
      const payment = await shop.pay(account, 20)
      await shop.wait(30)
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
      await shop.settle()
      fail(shop, 'po_0001')
      await shop.wait(7)
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
      const before = await moved(shop)
      await payAgain(shop, 'po_0001')
      await shop.wait(48)
      expect(await moved(shop)).to.equal(before)
      expect(await shop.read(payment)).to.include({ funding_status: 'batched' })
      expect(await shop.books()).to.include({ processor_cost: -shop.payouts.fees })
      expect(await shop.findings()).to.deep.equal([])
    })

    it('are reversed without a notification, by the payout that contains their money again', async () => {
      const shop = await LiveShop.open(open)
      const account = await shop.account('gateway')
      const first = await shop.pay(account, 20)
      await shop.settle()
      fail(shop, 'po_0001')
      shop.time.now += 20 * DAY
      const second = await shop.pay(account, 30)
      await payAgain(shop, 'po_0001')
      for (const id of [first, second]) expect(await shop.read(id)).to.include({ funding_status: 'batched' })
      const [settled] = await shop.list('/admin/settlements', 'order_by=id')
      expect(settled).to.include({ status: 'failed' })
      const [again] = await shop.list('/admin/settlements', 'order_by=-id')
      const made = await shop.list('/transactions', 'type=deposit|reversal&order_by=id')
      expect(made.map(({ type, amount }) => `${type} ${amount}`)).to.deep.equal([
        'deposit 19.12',
        'reversal 19.12',
        `deposit ${again?.net}`,
      ])
      expect(
        (await shop.list('/admin/exceptions')).map(({ kind, status }) => `${kind} ${status}`),
      ).to.deep.equal(['payout_failed resolved'])
      // The notification of the failure arrives last.
      await shop.say('payout.failed', payoutNamed(shop, 'po_0001'))
      expect(await shop.books()).to.not.have.any.keys('cash', 'processor_clearing', 'suspense')
      expect(await shop.findings()).to.deep.equal([])
    })

    it('can fail twice, and their payments are deposited in the end', async () => {
      const shop = await LiveShop.open(open)
      const account = await shop.account('gateway')
      const payments = [await shop.pay(account, 20)]
      await shop.settle()
      fail(shop, 'po_0001')
      payments.push(await shop.pay(account, 30))
      await payAgain(shop, 'po_0001')
      fail(shop, 'po_0002')
      await shop.say('payout.failed', payoutNamed(shop, 'po_0002'))
      await shop.say('payout.failed', payoutNamed(shop, 'po_0001'))
      expect(await moved(shop)).to.equal(0)
      for (const id of payments) expect(await shop.read(id)).to.include({ funding_status: 'captured' })
      payments.push(await shop.pay(account, 40))
      await payAgain(shop, 'po_0002')
      for (const id of payments) expect(await shop.read(id)).to.include({ funding_status: 'batched' })
      expect(await moved(shop)).to.equal(9_000 - 58 - 30 - 87 - 30 - 116 - 30)
      expect(
        (await shop.list('/admin/exceptions')).map(({ kind, status }) => `${kind} ${status}`),
      ).to.deep.equal(['payout_failed resolved', 'payout_failed resolved'])
      expect(await shop.books()).to.not.have.any.keys('cash', 'processor_clearing', 'suspense')
      expect(await shop.findings()).to.deep.equal([])
    })

    it('are reversed in full, even if a line was linked to another account than it was paid to', async () => {
      const shop = await LiveShop.open(open, () => 0)
      const [one, two] = [await shop.account('gateway'), await shop.account('gateway')]
      await shop.pay(one, 100)
      const other = await shop.pay(two, 50)
      await shop.settle((lines, payout) => [shop.payouts.stray(payout, 'payment', 700, STRANGE), ...lines])
      const [raised = {}] = await shop.list('/admin/exceptions', 'status=open')
      const [rest, owner] = raised.processing_id === one ? [one, two] : [two, one]
      const of = async (account: string) => await moved(shop, `&processing_id=${account}`)
      const own = { rest: (await of(rest)) - 700, owner: await of(owner) }
      const late = await shop.pay(owner, 7)
      const link = { resolution: 'link', reason: 'it is that one', transaction_id: late }
      await shop.ok('POST', `/admin/exceptions/${idOf(raised)}/resolve`, link)
      expect({ rest: await of(rest), owner: (await of(owner)) - 700 }).to.deep.equal(own)
      expect(await shop.findings()).to.deep.equal([])
      fail(shop, 'po_0001')
      await shop.say('payout.failed', payoutNamed(shop, 'po_0001'))
      expect([await of(rest), await of(owner)]).to.deep.equal([0, 0])
      expect(await shop.read(other)).to.include({ funding_status: 'captured' })
      expect(await shop.findings()).to.deep.equal([])
      // The linked payment was in the first payout, so its own line is left out.
      shop.payouts.payOut(shop.time.now, () => [])
      await payAgain(shop, 'po_0001')
      expect({ rest: await of(rest), owner: (await of(owner)) - 700 }).to.deep.equal(own)
      expect(await shop.books()).to.not.have.any.keys('cash', 'processor_clearing', 'suspense')
      expect(await shop.findings()).to.deep.equal([])
    })

    it('settle the payments of an account with a net of zero, until they fail', async () => {
      const shop = await LiveShop.open(open, () => 0)
      const [own, other] = [await shop.account('gateway'), await shop.account('gateway')]
      const disputed = await shop.pay(own, 20)
      await shop.settle()
      await shop.dispute(disputed)
      const netted = await shop.pay(own, 20)
      await shop.pay(other, 30)
      await shop.settle()
      expect(await shop.read(netted)).to.include({ funding_status: 'batched' })
      const share = async (account: string) =>
        (await shop.list('/transactions', 'type=deposit|reversal&order_by=id'))
          .filter(({ processing_id: id }) => id === account)
          .map(({ type, amount }) => `${type} ${amount}`)
      expect(await share(own)).to.deep.equal(['deposit 20'])
      expect(await share(other)).to.deep.equal(['deposit 30'])
      expect(await shop.findings()).to.deep.equal([])
      fail(shop, 'po_0002')
      await shop.say('payout.failed', payoutNamed(shop, 'po_0002'))
      expect(await shop.read(netted)).to.include({ funding_status: 'captured' })
      await payAgain(shop, 'po_0002')
      expect(await shop.read(netted)).to.include({ funding_status: 'batched' })
      expect(await share(own)).to.deep.equal(['deposit 20'])
      expect(await shop.findings()).to.deep.equal([])
    })
  })
})
