import { expect } from 'chai'
import { unallocated } from '../../../src/domain/allocations/unallocated.js'

const payment = {
  status: 'processed',
  amount: 2_999,
  refunded: null,
  charged_back: null,
  allocated: null,
} as const

describe('what of a payment pays no invoice', () => {
  it('is all of one that has none and lost nothing', () => expect(unallocated(payment)).to.equal(2_999))

  it('is less what went back and what pays invoices', () =>
    expect(unallocated({ ...payment, refunded: 100, charged_back: 20, allocated: 3 })).to.equal(2_876))

  it('is below zero of one that is worth nothing any more', () => {
    for (const status of ['authorized', 'processing', 'declined', 'voided', 'rejected'] as const)
      expect(unallocated({ ...payment, status, allocated: 3 })).to.equal(-3)
  })
})
