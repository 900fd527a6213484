import { expect } from 'chai'
import { chargedAmount } from '../../../../src/domain/payments/pending/gateway-request.js'

describe('the amount charged to the payer', () => {
  it('includes the convenience fee, if there is one', () => {
    const charged = ([amount, conv_fee]: readonly (number | null)[]) =>
      chargedAmount({ amount: amount ?? null, conv_fee: conv_fee ?? null })
    expect(
      [
        [2999, 59],
        [2999, 0],
        [2999, null],
        [null, null],
      ].map(charged),
    ).to.deep.equal([3058, 2999, 2999, 0])
  })
})
