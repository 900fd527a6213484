import { expect } from 'chai'
import fc from 'fast-check'
import type { Transaction } from '../../../src/domain/ledger/stored-transaction.js'
import { refundable } from '../../../src/domain/ledger/stored-transaction.js'
import {
  decideRefund,
  releasedPayment,
  settledPayment,
} from '../../../src/domain/payments/outcome/decide-refund.js'
import { refundRefusal } from '../../../src/domain/payments/refund/refund-payment.js'
import { aPayment, STATUSES } from './given.js'

const onParent = (message: string) => ({ ledger: { 0: { assoc_transaction_id: message } } })

describe('a refund', () => {
  it('of a processed payment fits within the refundable balance, in any funding status', () => {
    for (const fundingStatus of ['pending', 'captured', 'batched'] as const) {
      expect(refundRefusal(aPayment({ fundingStatus }), 2999)).to.equal(undefined)
    }
  })

  it('is refused with the refundable balance', () => {
    const refusal = refundRefusal(aPayment({ refunded: 1765 }), 1235)
    expect(refusal?.details).to.deep.equal({ amount: 'Exceeds refundable balance of 12.34' })
    expect(refundRefusal(aPayment({ refunded: 1765 }), 1234)).to.equal(undefined)
    expect(refundRefusal(aPayment({ chargedBack: 2999 }), 1)?.details).to.deep.equal({
      amount: 'Exceeds refundable balance of 0.00',
    })
  })

  it('of an authorized payment is refused with the advice to void it', () => {
    const refusal = refundRefusal(aPayment({ status: 'authorized' }), 1)
    expect(refusal?.type).to.equal('InvalidAttributes')
    expect(refusal?.details).to.deep.equal(onParent('An authorized payment is not refunded: void it instead'))
  })

  for (const status of STATUSES.filter((one) => one !== 'processed' && one !== 'authorized')) {
    it(`is refused for a payment that is ${status}`, () => {
      const refusal = refundRefusal(aPayment({ status, chargedBack: 2999 }), 1)
      expect(refusal?.details).to.deep.equal(
        onParent(`Only a processed payment can be refunded, this is ${status}`),
      )
    })
  }

  it('of a rejected payment fits within the balance that a failed refund gave back', () => {
    const payment = aPayment({ status: 'rejected', chargedBack: 2499 })
    expect(refundRefusal(payment, 500)).to.equal(undefined)
    expect(refundRefusal(payment, 501)?.details).to.deep.equal({
      amount: 'Exceeds refundable balance of 5.00',
    })
  })

  it('is refused for other types of transaction', () => {
    expect(refundRefusal(aPayment({ type: 'refund' }), 1)?.details).to.deep.equal(
      onParent('Only a payment can be refunded, this is a refund'),
    )
  })

  it('is refused during an operation with an unknown outcome', () => {
    expect(refundRefusal(aPayment({ pendingOperation: 'void:op_1' }), 1)?.type).to.equal('Conflict')
  })

  it('makes the payment refunded only when the balance is zero', () => {
    expect(settledPayment({ amount: 2999, refunded: 2999 })).to.deep.equal({
      funding_status: 'refunded',
      pending_operation: null,
    })
    expect(settledPayment({ amount: 2999, refunded: 2998 })).to.deep.equal({ pending_operation: null })
  })

  it('is entered in both ledgers, returns its amount and triggers refund', () => {
    const decision = decideRefund(aPayment(), { id: 'txn_refund', amount: 500 }, '2030-01-31')
    expect(decision.changes).to.deep.equal({
      status: 'processed',
      status_code: 'approved',
      processed_date: '2030-01-31',
      pending_operation: null,
    })
    expect(decision.entries.map(({ amount }) => amount)).to.deep.equal([-500, 500])
    expect(decision.postings).to.deep.equal([
      { from: 'merchant_payable', to: 'processor_clearing', amount: 500 },
    ])
    expect(decision.events).to.deep.equal(['refund'])
  })
})

/** A refund in a sequence: its amount, the gateway's answer if it fits, and whether that answer is late. */
interface Ask {
  readonly amount: number
  readonly approved: boolean
  readonly answersLate: boolean
}

const asks: fc.Arbitrary<Ask[]> = fc.array(
  fc.record({ amount: fc.integer({ min: 1, max: 1500 }), approved: fc.boolean(), answersLate: fc.boolean() }),
  { maxLength: 40 },
)

/** A payment refunded by the rules, compared with a model that only knows the refunded amount. */
class Refunding {
  payment: Transaction
  given = 0
  private waiting: Ask | undefined

  constructor(readonly amount: number) {
    this.payment = aPayment({ amount })
  }

  ask(ask: Ask): void {
    const refusal = refundRefusal(this.payment, ask.amount)
    expect(refusal?.type).to.equal(this.expected(ask))
    if (refusal) {
      this.answerWaiting()
      return
    }
    const refunded = this.payment.refunded + ask.amount
    this.payment = { ...this.payment, refunded, pendingOperation: ask.answersLate ? 'refunding:r' : null }
    this.waiting = ask
    if (!ask.answersLate) this.answerWaiting()
  }

  answerWaiting(): void {
    const ask = this.waiting
    if (!ask) return
    const settled = ask.approved ? settledPayment(this.payment) : releasedPayment(this.payment, ask.amount)
    this.payment = {
      ...this.payment,
      refunded: settled.refunded ?? this.payment.refunded,
      fundingStatus: settled.funding_status ?? this.payment.fundingStatus,
      pendingOperation: null,
    }
    if (ask.approved) this.given += ask.amount
    this.waiting = undefined
  }

  private expected({ amount }: Ask): string | undefined {
    if (this.waiting) return 'Conflict'
    return amount > this.amount - this.given ? 'InvalidAttributes' : undefined
  }
}

describe('the refundable balance', () => {
  it('matches a small model after any sequence of approved, declined and waiting refunds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), asks, (amount, sequence) => {
        const refunding = new Refunding(amount)
        for (const ask of sequence) {
          refunding.ask(ask)
          expect(refundable(refunding.payment)).to.be.within(0, amount)
        }
        refunding.answerWaiting()
        expect(refundable(refunding.payment)).to.equal(amount - refunding.given)
        expect(refunding.payment.fundingStatus).to.equal(refunding.given === amount ? 'refunded' : 'pending')
      }),
    )
  })
})
