import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a payout of Stripe that does not arrive', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account('gateway')
    })

    const exceptions = async () =>
      (await shop.list('/admin/exceptions')).map(
        ({ kind, status, resolution }) => `${kind} ${status} ${resolution}`,
      )
    /** Makes a payout with the money of a failed payout and all new lines. */
    const payOutAgain = async (failed: object, amount: number) => {
      Object.assign(failed, { status: 'failed' })
      await shop.settle((lines, payout) => [
        ...lines,
        shop.payouts.stray(payout, 'payout_failure', amount, failed),
      ])
    }
    /** Checks that both payments are paid to the merchant in full, once, and that no exception is open. */
    const expectPaid = async (payments: readonly string[]) => {
      expect(await exceptions()).to.deep.equal(['payout_failed resolved link'])
      for (const id of payments) expect(await shop.read(id)).to.include({ funding_status: 'batched' })
      expect(await shop.books()).to.not.have.any.keys('cash', 'processor_clearing', 'suspense')
      expect((await shop.books()).processor_cost).to.equal(-shop.payouts.fees)
      shop.time.now += 20 * 86_400_000
      await shop.pay(account, 40)
      await shop.settle()
      expect(await exceptions()).to.deep.equal(['payout_failed resolved link'])
      expect(await shop.findings()).to.deep.equal([])
    }

    it('is included in the next payout if it failed before its settlement was read', async () => {
      const first = await shop.pay(account, 20)
      shop.payouts.payOut(shop.time.now)
      const [failed] = shop.server.payouts
      if (!failed) throw new Error('There is no payout')
      const second = await shop.pay(account, 30)
      await payOutAgain(failed, 1912)
      await expectPaid([first, second])
    })

    it('is reversed if it was already booked, and its lines are matched again in the next payout', async () => {
      const first = await shop.pay(account, 20)
      await shop.settle()
      expect(await shop.read(first)).to.include({ funding_status: 'batched' })
      const [failed] = shop.server.payouts
      if (!failed) throw new Error('There is no payout')
      const second = await shop.pay(account, 30)
      await payOutAgain(failed, 1912)
      expect((await shop.list('/admin/settlement_lines')).map(({ status }) => status)).to.have.members([
        'failed',
        'matched',
        'matched',
      ])
      const moved = (await shop.list('/transactions', 'type=deposit|reversal&order_by=id')).map(
        ({ type, amount }) => `${type} ${amount}`,
      )
      expect(moved).to.deep.equal(['deposit 19.12', 'reversal 19.12', 'deposit 47.95'])
      const ledger = await shop.list(`/transactions/${first}/ledger`)
      expect(ledger.map(({ entry_type, amount }) => `${entry_type} ${amount}`)).to.deep.equal([
        'deposit -20',
        'reversal 20',
        'deposit -20',
      ])
      await expectPaid([first, second])
    })

    it('is shown by an exception, an event, the status and its settlement', async () => {
      const payment = await shop.pay(account, 20)
      await shop.settle()
      const [failed] = shop.server.payouts
      if (!failed) throw new Error('There is no payout')
      Object.assign(failed, { status: 'failed', failure_code: 'account_closed' })
      for (let times = 0; times < 2; times++) await shop.say('payout.failed', failed)
      expect(await exceptions()).to.deep.equal(['payout_failed open null'])
      const [raised] = await shop.list('/admin/exceptions')
      expect(raised).to.deep.include({
        amount: 19.12,
        processing_id: account,
        happened: 'The payout po_0001 of 19.12 failed at the gateway (account_closed)',
        resolutions: ['ignore'],
      })
      const { core } = await shop.core.app.environment('live')
      const told = await core.write(({ tx }) =>
        tx.db
          .selectFrom('events')
          .select(['trigger', 'value'])
          .where('value', '=', 'payout_failed')
          .execute(),
      )
      expect(told).to.deep.equal([{ trigger: 'gateway', value: 'payout_failed' }])
      expect(JSON.stringify((await shop.ok('GET', '/admin/status')).lines)).to.include(
        'po_0001 of $19.12 did not arrive (account_closed)',
      )
      const [settlement] = await shop.list('/admin/settlements')
      expect(settlement).to.include({ status: 'failed', failure: 'account_closed' })
      expect(await shop.read(payment)).to.include({ funding_status: 'captured' })
      expect(await shop.books()).to.not.have.any.keys('cash', 'suspense', 'processor_cost')
      expect(await shop.findings()).to.deep.equal([])
    })
  })
})
