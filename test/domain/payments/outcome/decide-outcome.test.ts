import { expect } from 'chai'
import { decideOutcome, type OwnOperation } from '../../../../src/domain/payments/outcome/decide-outcome.js'
import type { Answer } from '../../../../src/domain/payments/pending/gateway-answer.js'
import { mayBecome } from '../../../../src/domain/payments/pending/transaction-status.js'
import type { ApprovedOutcome, DeclinedOutcome } from '../../../../src/gateways/contract.js'
import { aPayment, TODAY } from '../given.js'

const approved: ApprovedOutcome = { result: 'approved', amount: 3058, avs: 'zip' }
const declined: DeclinedOutcome = { result: 'declined', statusCode: 'insufficient_bal', avs: 'zip' }
const today = TODAY

const intent = aPayment({ status: 'processing', pendingOperation: 'sale' })
const sale: OwnOperation = { kind: 'sale' }

describe('the outcome of a gateway operation', () => {
  it('makes a sale processed, with postings, date and both events', () => {
    const decision = decideOutcome(intent, sale, approved, today)
    expect(decision.changes).to.deep.equal({
      status: 'processed',
      status_code: 'approved',
      funding_status: 'pending',
      processed_date: today.date,
      awaiting: 'cut_off',
      due_at: today.cutOffAt,
      avs: 'zip',
      pending_operation: null,
    })
    expect(decision.postings).to.have.length(2)
    expect(decision.events).to.deep.equal(['payment', 'processed'])
  })

  it('makes an authorization authorized, and moves no money yet', () => {
    const payment = aPayment({ ...intent, requestedStatus: 'authorized' })
    const decision = decideOutcome(payment, { kind: 'authorize' }, approved, today)
    expect(decision.changes).to.include({ status: 'authorized', funding_status: 'pending' })
    expect(decision.changes).to.not.have.property('processed_date')
    expect(decision.postings).to.deep.equal([])
    expect(decision.events).to.deep.equal(['payment', 'authorized'])
  })

  it('declines without fees, funding or postings', () => {
    const decision = decideOutcome(intent, sale, declined, today)
    expect(decision.changes).to.deep.equal({
      status: 'declined',
      status_code: 'insufficient_bal',
      funding_status: null,
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      avs: 'zip',
      pending_operation: null,
    })
    expect(decision.postings).to.deep.equal([])
    expect(decision.events).to.deep.equal(['decline'])
  })

  it('declines a payment that the gateway never received', () => {
    const { changes, events } = decideOutcome(intent, sale, 'never_seen', today)
    expect(changes).to.include({ status: 'declined', status_code: 'never_sent' })
    expect(events).to.deep.equal(['decline'])
  })

  it('pays out a blind refund and a credit, each with its event', () => {
    const pairs = [
      ['refund', 'blind_refund', 'refund'],
      ['credit', 'credit', 'credit'],
    ] as const
    for (const [type, kind, event] of pairs) {
      const decision = decideOutcome({ ...intent, type, fee: 0 }, { kind }, approved, today)
      expect(decision.changes).to.include({ status: 'processed', funding_status: 'pending' })
      expect(decision.postings).to.deep.equal([
        { from: 'merchant_payable', to: 'processor_clearing', amount: 2999 },
      ])
      expect(decision.events).to.deep.equal([event])
    }
  })

  const authorized = aPayment({ status: 'authorized', pendingOperation: 'capture:op_1' })
  const capture: OwnOperation = { kind: 'capture', reference: 'op_1' }

  it('declines a refused capture permanently, and allows a new capture if the gateway never received the first one', () => {
    expect(decideOutcome(authorized, capture, declined, today).changes).to.include({ status: 'declined' })
    const decision = decideOutcome(authorized, capture, 'never_seen', today)
    expect(decision).to.deep.equal({
      changes: { pending_operation: null },
      entries: [],
      postings: [],
      events: [],
    })
  })

  it('reports a captured amount that differs from the amount with its convenience fee', () => {
    const withFee = { ...authorized, convFee: 59 }
    const captured = (amount: number) =>
      decideOutcome(withFee, capture, { ...approved, amount }, today).differs ?? false
    expect([2999 - 59, 2999, 2999 + 59].map(captured)).to.deep.equal([true, true, false])
  })

  it('leaves a payment unchanged if its void failed', () => {
    const voiding: OwnOperation = { kind: 'void', reference: 'op_1' }
    for (const answer of [declined, 'never_seen'] as const) {
      expect(decideOutcome(aPayment(), voiding, answer, today).changes).to.deep.equal({
        pending_operation: null,
      })
    }
    expect(decideOutcome(aPayment(), voiding, approved, today).changes).to.include({ status: 'voided' })
  })

  it('uses allowed status changes only, and always ends the operation', () => {
    const cases: [ReturnType<typeof aPayment>, OwnOperation][] = [
      [intent, sale],
      [{ ...intent, requestedStatus: 'authorized' }, { kind: 'authorize' }],
      [authorized, capture],
      [authorized, { kind: 'void', reference: 'op_1' }],
      [aPayment(), { kind: 'void', reference: 'op_1' }],
    ]
    for (const [payment, operation] of cases) {
      for (const answer of [approved, declined, 'never_seen'] satisfies Answer[]) {
        const { changes } = decideOutcome(payment, operation, answer, today)
        const to = changes.status ?? payment.status
        expect(to === payment.status || mayBecome(payment.status, to), `${payment.status} → ${to}`).to.equal(
          true,
        )
        expect(changes.pending_operation).to.equal(null)
      }
    }
  })
})
