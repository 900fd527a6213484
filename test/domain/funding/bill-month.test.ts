import { expect } from 'chai'
import { monthlyBillJob } from '../../../src/domain/funding/bill-month.js'
import { Business } from '../../support/business.js'
import { onDatabases } from '../../support/databases.js'

const HOUR = 60 * 60 * 1000

describe('the monthly bill', () => {
  onDatabases((open) => {
    it('is due at the same time, no matter from which earlier time it is computed', async () => {
      const business = await Business.open(open)
      await business.account()
      const core = business.core.environment.core
      const job = monthlyBillJob(HOUR)
      const next = async (after: number) => await core.read((work) => job.next(work, after))
      const due = Number(await next(0))
      for (const after of [due - 2 * HOUR, due - HOUR, due - 1])
        expect(await next(after), `${due - after}`).to.equal(due)
      expect(await next(due)).to.equal(undefined)
    })
  })
})
