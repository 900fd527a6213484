import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, list, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { booksOf } from '../payments/books.js'

describe('changes of settings during a funding run', () => {
  onDatabases((open) => {
    let business: Business
    beforeEach(async () => {
      business = await Business.open(open)
    })
    afterEach(async () => {
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
    const change = async (account: string, settings: JsonObject) => {
      const { processing } = await business.core.ok('GET', `/processing_accounts/${account}`)
      const id = idOf(objectOf(objectOf(processing).settings))
      await business.core.ok('PUT', `/processing_settings/${id}`, settings)
    }

    for (const [before, after, bill] of [
      ['netted_daily', 'billed_monthly', []],
      ['billed_monthly', 'netted_daily', ['2030-01 reversal 34 fee 34 of 0']],
    ] as const)
      it(`keep the mode of a started deposit: it began ${before}, and the setting becomes ${after}`, async () => {
        const account = await business.account({ billing_preference: before, batch_fee: 1 })
        const { payment_method_id = null } = await pay(business.core, account, 1)
        const one = { type: 'payment', amount: 1, processing_id: account, payment_method_id }
        await business.core.ok('POST', '/transactions', list(Array.from({ length: 99 }, () => one)))
        business.at('2030-01-16 12:00:00')
        const planned = await business.deposits(business.plan())
        for (let begun = 0; begun === 0; ) begun = Number((await business.run({ units: 7 })).transactions)
        expect(await business.all(account, 'deposit')).to.have.length(1)

        await change(account, { billing_preference: after })
        expect(await business.deposits(business.plan())).to.deep.equal(planned)
        expect(await business.deposits(business.run())).to.deep.equal(planned)
        business.at('2030-02-02 12:00:00')
        expect(await business.deposits(business.plan())).to.deep.equal(bill)
        expect(await business.deposits(business.run())).to.deep.equal(bill)
        // Each fee was charged exactly once.
        expect(await booksOf(business.core, account)).to.deep.equal({ cash: -3400, fee_income: 3400 })
      })

    it('never leave a bill of zero', async () => {
      const account = await business.account({ minimum_bill: 5 })
      await pay(business.core, account, 1)
      business.at('2030-01-20 12:00:00')
      await business.run()
      business.at('2030-02-02 12:00:00')
      // After each unit of work, the minimum bill alternates between zero and an amount.
      for (let [units, isOver] = [1, false]; !isOver; units++) {
        await change(account, { minimum_bill: 5 })
        await business.run({ units })
        await change(account, { minimum_bill: 0 })
        isOver = (await business.run()).finished === true
      }
      const bills = await business.all(account, 'reversal')
      expect(bills.map(({ status, amount }) => [status, amount])).to.deep.equal([['processed', 4.67]])
    })
  })
})
