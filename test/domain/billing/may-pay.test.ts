import { expect } from 'chai'
import { mayPay } from '../../../src/domain/billing/invoices/may-pay.js'

describe('a processed payment intended for an invoice', () => {
  it('may still pay it while a cent is allocated or disputed', () => {
    const payment = { status: 'processed', status_code: 'approved' } as const
    const may = ([allocated, charged_back]: readonly [number, number]) =>
      mayPay({ ...payment, allocated, charged_back })
    const left = [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as const
    expect(left.map(may)).to.deep.equal([false, true, true])
  })
})
