import { expect } from 'chai'
import { unallocated } from '../../../src/domain/allocations/unallocated.js'

const payment = {
  status: 'processed',
  amount: 2_999,
  refunded: null,
  charged_back: null,
  allocated: null,
} as const

describe('the unallocated amount of a payment', () => {
  it('is the full amount if it has no allocations and no losses', () =>
    expect(unallocated(payment)).to.equal(2_999))

  it('is reduced by refunds and allocations', () =>
    expect(unallocated({ ...payment, refunded: 100, charged_back: 20, allocated: 3 })).to.equal(2_876))

  it('is negative for a payment that has lost its value', () => {
    for (const status of ['authorized', 'processing', 'declined', 'voided', 'rejected'] as const)
      expect(unallocated({ ...payment, status, allocated: 3 })).to.equal(-3)
  })
})
