import { expect } from 'chai'
import type { FundingAccount } from '../../../src/domain/funding/funding-account.js'
import { type AccountState, planAccount } from '../../../src/domain/funding/plan-account.js'
import { emptyGroup } from '../../../src/domain/funding/waiting-items.js'
import { DEFAULT_CUT_OFF } from '../../../src/platform/calendar/cut-off.js'

const ACCOUNT: FundingAccount = {
  id: 'acct_1',
  cutOff: DEFAULT_CUT_OFF,
  billing: 'netted_daily',
  payouts: 'simulated',
  batchFee: 0,
  minimumBill: 0,
  monthlyFee: 0,
  billMonth: null,
  billDueAt: null,
}
const DAY = '2030-01-16 00:00:00'

/** Account with fees of fully refunded payments, on a day whose deposit already exists. Fees in cents. */
function late(fees: { fee?: number; accrued?: number; convFee?: number }): AccountState {
  return {
    account: ACCOUNT,
    days: new Map([[DAY, { ...emptyGroup, feeOnly: { ...emptyGroup.feeOnly, ...fees } }]]),
    open: undefined,
    carried: 0,
    made: new Map([['2030-01-15', 0]]),
  }
}

describe('the plan of an account', () => {
  for (const fees of [{ fee: 117 }, { accrued: 117 }, { fee: 58, accrued: 59 }])
    it(`adds late fees of a day to the next deposit: ${JSON.stringify(fees)}`, () => {
      expect(planAccount(late(fees), '2030-01-20 00:00:00')).to.deep.equal([
        {
          processingId: 'acct_1',
          period: '2030-01-16',
          type: 'reversal',
          amount: 117,
          fee: 117,
          transactions: 0,
        },
      ])
    })

  it('is empty if no fees are left to charge', () => {
    expect(planAccount(late({}), '2030-01-20 00:00:00')).to.deep.equal([])
  })

  it('ends at the given time', () => {
    expect(planAccount(late({ fee: 117 }), DAY)).to.deep.equal([])
  })
})
