import { expect } from 'chai'
import { onEachDatabase } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

describe('a payout of Stripe that does not arrive', () => {
  onEachDatabase((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account('gateway')
    })

    /** Pays out once more what came back of a payout, with all that is new. */
    const payOutAgain = async (failed: object, amount: number) => {
      Object.assign(failed, { status: 'failed' })
      await shop.settle((lines, payout) => [
        ...lines,
        shop.payouts.stray(payout, 'payout_failure', amount, failed),
      ])
    }
    /** All of both payments is paid to the merchant, once, and nothing is left to decide. */
    const expectPaid = async (payments: readonly string[]) => {
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      for (const id of payments) expect(await shop.read(id)).to.include({ funding_status: 'batched' })
      expect(await shop.books()).to.not.have.any.keys('cash', 'processor_clearing', 'suspense')
      expect((await shop.books()).processor_cost).to.equal(-shop.payouts.fees)
      shop.time.now += 20 * 86_400_000
      await shop.pay(account, 40)
      await shop.settle()
      expect(await shop.list('/admin/exceptions')).to.deep.equal([])
      expect(await shop.findings()).to.deep.equal([])
    }

    it('is paid out with the next one, which has its lines', async () => {
      const first = await shop.pay(account, 20)
      shop.payouts.payOut(shop.time.now)
      const [failed] = shop.server.payouts
      if (!failed) throw new Error('There is no payout')
      const second = await shop.pay(account, 30)
      await payOutAgain(failed, 1912)
      await expectPaid([first, second])
    })

    it('books nothing twice, where it was taken for paid before', async () => {
      const first = await shop.pay(account, 20)
      await shop.settle()
      expect(await shop.read(first)).to.include({ funding_status: 'batched' })
      const [failed] = shop.server.payouts
      if (!failed) throw new Error('There is no payout')
      const second = await shop.pay(account, 30)
      await payOutAgain(failed, 1912)
      expect((await shop.list('/admin/settlement_lines')).map(({ status }) => status)).to.have.members([
        'matched',
        'matched',
        'repeated',
      ])
      await expectPaid([first, second])
    })
  })
})
