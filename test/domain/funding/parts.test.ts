import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf, list, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'

describe('a funding run in parts', () => {
  onDatabases((open) => {
    let business: Business
    let core: TestCore
    beforeEach(async () => {
      business = await Business.open(open)
      core = business.core
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
    })

    const payOut = (processing: string, amount: number) =>
      core.ok('POST', '/transactions', {
        type: 'credit',
        amount,
        processing_id: processing,
        payment_method: card(),
      })
    const many = async (processing: string, count: number, amount: number) => {
      const { payment_method_id: method } = await pay(core, processing, amount)
      const one = { type: 'payment', amount, processing_id: processing, payment_method_id: method ?? null }
      const answer = await core.ok(
        'POST',
        '/transactions',
        list(Array.from({ length: count - 1 }, () => ({ ...one }))),
      )
      return valuesOf(answer).map(idOf)
    }

    it('continues the same deposit after an interruption', async () => {
      const processing = await business.account({ batch_fee: 1 })
      await many(processing, 450, 1)
      business.at('2030-01-16 12:00:00')
      const planned = await business.deposits(business.plan())
      expect(planned).to.deep.equal(['2030-01-15 deposit 300.5 fee 149.5 of 450'])
      const states = []
      for (let calls = 0; ; calls++) {
        const { finished } = await business.run({ units: 7 })
        const deposits = await business.all(processing, 'deposit')
        states.push(deposits.map(({ status, amount }) => `${status} ${amount}`).join())
        expect(await business.deposits(business.plan())).to.deep.equal(finished ? [] : planned)
        if (finished) break
        expect(calls).to.be.below(20)
      }
      expect(new Set(states)).to.deep.equal(new Set(['', 'processing 300.5', 'processed 300.5']))
    })

    it('makes one deposit if two processes run it at the same time', async () => {
      const processing = await business.account()
      await many(processing, 450, 1)
      business.at('2030-01-16 12:00:00')
      const other = await business.another(open)
      const runs = await Promise.all([business.run(), business.run({}, other), business.run({}, other)])
      expect(runs.map(({ finished }) => finished)).to.deep.equal([true, true, true])
      expect(runs.reduce((sum, { transactions }) => sum + Number(transactions), 0)).to.equal(450)
      expect(await business.all(processing, 'deposit')).to.have.length(1)
    })

    it('makes a reversal if too much is refunded during the run', async () => {
      const processing = await business.account({ credit_trans_rate: 0, credit_trans_cost: 0 })
      const payments = await many(processing, 450, 1)
      await payOut(processing, 300)
      business.at('2030-01-16 12:00:00')
      expect(await business.deposits(business.plan())).to.deep.equal(['2030-01-15 deposit 150 fee 0 of 451'])
      await interrupted(processing)
      for (const payment of payments.slice(-200)) await business.refund(payment, 1)
      const outcome = ['2030-01-15 reversal 50 fee 0 of 251']
      expect(await business.deposits(business.plan())).to.deep.equal(outcome)
      expect(await business.deposits(business.run())).to.deep.equal(outcome)
    })

    it('keeps a deposit open if its amount becomes zero, and continues it the next day', async () => {
      const processing = await business.account({ credit_trans_rate: 0, credit_trans_cost: 0 })
      const payments = await many(processing, 450, 1)
      await payOut(processing, 300)
      business.at('2030-01-16 12:00:00')
      await interrupted(processing)
      for (const payment of payments.slice(-150)) await business.refund(payment, 1)
      expect(await business.deposits(business.plan())).to.deep.equal([])
      expect(await business.deposits(business.run())).to.deep.equal([])
      expect(await business.all(processing, 'deposit')).to.have.length(1)
      await pay(core, processing, 7)
      business.at('2030-01-17 12:00:00')
      const outcome = ['2030-01-15 deposit 7 fee 0 of 302']
      expect(await business.deposits(business.plan())).to.deep.equal(outcome)
      expect(await business.deposits(business.run())).to.deep.equal(outcome)
    })

    /** Runs until a deposit is stored, but is not finished yet. */
    async function interrupted(processing: string): Promise<void> {
      for (;;) {
        const { transactions } = await business.run({ units: 7 })
        if (Number(transactions) > 0) break
      }
      expect((await business.all(processing, 'deposit')).map(({ status }) => status)).to.deep.equal([
        'processing',
      ])
    }
  })
})
