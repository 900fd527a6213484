import { expect } from 'chai'
import { decideVoid } from '../../../src/domain/payments/outcome/decide-outcome.js'
import { voidRefusal } from '../../../src/domain/payments/take/void-payment.js'
import { aPayment } from './given.js'

describe('a void', () => {
  it('needs an authorized payment, or a processed payment that is not settled', () => {
    expect(voidRefusal(aPayment())).to.equal(undefined)
    expect(voidRefusal(aPayment({ status: 'authorized' }))).to.equal(undefined)
  })

  const refused: [string, Parameters<typeof aPayment>[0], string][] = [
    [
      'a captured payment',
      { fundingStatus: 'captured' },
      'Cannot change from processed to voided: it has settled, refund it instead',
    ],
    [
      'a batched payment',
      { fundingStatus: 'batched' },
      'Cannot change from processed to voided: it has settled, refund it instead',
    ],
    [
      'a partly refunded payment',
      { refunded: 1 },
      'Cannot change from processed to voided: it is partly or wholly refunded',
    ],
    [
      'a charged back payment',
      { chargedBack: 1 },
      'Cannot change from processed to voided: it is charged back, refund the rest instead',
    ],
    ['a refund', { type: 'refund' }, 'Cannot change from processed to voided: only a payment is voided'],
    ['a credit', { type: 'credit' }, 'Cannot change from processed to voided: only a payment is voided'],
    ['a declined payment', { status: 'declined' }, 'Cannot change from declined to voided'],
    ['a rejected payment', { status: 'rejected' }, 'Cannot change from rejected to voided'],
    ['a processing payment', { status: 'processing' }, 'Cannot change from processing to voided'],
    ['a voided payment', { status: 'voided' }, 'Cannot change from voided to voided'],
  ]
  for (const [what, changes, message] of refused) {
    it(`is refused for ${what}`, () => {
      const refusal = voidRefusal(aPayment(changes))
      expect(refusal?.type).to.equal('InvalidAttributes')
      expect(refusal?.details).to.deep.equal({ status: message })
    })
  }

  it('is refused during an operation with an unknown outcome', () => {
    expect(voidRefusal(aPayment({ pendingOperation: 'refunding:txn_2' }))?.type).to.equal('Conflict')
  })

  it('returns all fees and triggers void', () => {
    const { changes, events } = decideVoid(aPayment({ convFee: 50, fee: 67 }))
    expect(changes).to.include({
      status: 'voided',
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      pending_operation: null,
    })
    expect(events).to.deep.equal(['void'])
  })

  it('has no postings for a payment without any', () => {
    expect(decideVoid(aPayment({ status: 'authorized' })).postings).to.deep.equal([])
  })
})
