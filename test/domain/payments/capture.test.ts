import { expect } from 'chai'
import { decideCapture } from '../../../src/domain/payments/outcome/decide-outcome.js'
import { captureRefusal } from '../../../src/domain/payments/take/capture-payment.js'
import { aPayment, STATUSES, TODAY } from './given.js'

describe('a capture', () => {
  it('needs an authorized payment', () => {
    expect(captureRefusal(aPayment({ status: 'authorized' }))).to.equal(undefined)
  })

  for (const status of STATUSES.filter((one) => one !== 'authorized')) {
    it(`is refused for a payment that is ${status}`, () => {
      expect(captureRefusal(aPayment({ status }))?.details).to.deep.equal({
        status: `Cannot change from ${status} to processed`,
      })
    })
  }

  it('is refused during a review or an operation with an unknown outcome', () => {
    expect(captureRefusal(aPayment({ status: 'authorized', riskFlag: 'in_review' }))?.type).to.equal(
      'InvalidAttributes',
    )
    expect(captureRefusal(aPayment({ status: 'authorized', pendingOperation: 'void:op_1' }))?.type).to.equal(
      'Conflict',
    )
  })

  it('moves the money, dates the payment and triggers processed', () => {
    const decision = decideCapture(aPayment({ status: 'authorized' }), TODAY)
    expect(decision.changes).to.include({
      status: 'processed',
      processed_date: TODAY.date,
      awaiting: 'cut_off',
      due_at: TODAY.cutOffAt,
      pending_operation: null,
    })
    expect(decision.postings).to.deep.equal([
      { from: 'processor_clearing', to: 'merchant_payable', amount: 2999 },
      { from: 'merchant_payable', to: 'fee_income', amount: 117 },
    ])
    expect(decision.events).to.deep.equal(['processed'])
  })
})
