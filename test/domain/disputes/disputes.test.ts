import { expect } from 'chai'
import fc from 'fast-check'
import { chargebackRefusal, decideChargeback } from '../../../src/domain/disputes/record-chargeback.js'
import { decideWin, winRefusal } from '../../../src/domain/disputes/record-dispute-won.js'
import { mayBecome } from '../../../src/domain/payments/pending/transaction-status.js'
import { isReturn, RETURN_CODES, statusMessage } from '../../../src/schema/status-codes.js'
import { aPayment, STATUSES } from '../payments/given.js'

const today = '2030-01-31'
const chargeback = { id: 'txn_c', amount: 2999, statusCode: 'chargeback', fee: 1500, accruedFee: 0 }

describe('a chargeback', () => {
  it('is recorded for a payment that took money, whatever its funding status', () => {
    for (const fundingStatus of ['pending', 'captured', 'batched'] as const)
      expect(chargebackRefusal(aPayment({ fundingStatus }))).to.equal(undefined)
    expect(chargebackRefusal(aPayment({ refunded: 1000 }))).to.equal(undefined)
    expect(chargebackRefusal(aPayment({ status: 'rejected' }))).to.equal(undefined)
  })

  for (const status of STATUSES.filter((one) => one !== 'processed' && one !== 'rejected'))
    it(`is refused for a payment that is ${status}`, () => {
      expect(chargebackRefusal(aPayment({ status }))?.details).to.deep.equal({
        transaction_id: `Only a processed payment can be charged back, this is ${status}`,
      })
    })

  it('is refused for other types of transaction, and while an operation is pending', () => {
    expect(chargebackRefusal(aPayment({ type: 'refund' }))?.details).to.deep.equal({
      transaction_id: 'Only a payment can be charged back, this is a refund',
    })
    expect(chargebackRefusal(aPayment({ pendingOperation: 'void:op_1' }))?.type).to.equal('Conflict')
  })

  it('of the whole payment rejects it, charges a fee, and takes the convenience fee back', () => {
    const { own, payment } = decideChargeback(aPayment({ chargedBack: 2999, convFee: 50 }), chargeback, today)
    expect(payment.changes).to.deep.equal({
      status: 'rejected',
      status_code: 'chargeback',
      funding_status: 'reversed',
    })
    expect(payment.events).to.deep.equal(['reject'])
    expect(own.changes).to.include({ status: 'processed', status_code: 'chargeback', conv_fee: 50 })
    expect(own.entries.map(({ amount }) => amount)).to.deep.equal([-2999, 2999])
    expect(own.postings).to.deep.equal([
      { from: 'merchant_payable', to: 'processor_clearing', amount: 2999 },
      { from: 'fee_income', to: 'processor_clearing', amount: 50 },
      { from: 'processor_clearing', to: 'cash', amount: 50 },
      { from: 'merchant_payable', to: 'fee_income', amount: 1500 },
    ])
  })

  it('of a part leaves the payment processed, and costs the same fee', () => {
    const { own, payment } = decideChargeback(
      aPayment({ chargedBack: 999, convFee: 50 }),
      { ...chargeback, amount: 999, fee: 0, accruedFee: 1500 },
      today,
    )
    expect(payment.changes).to.deep.equal({})
    expect(payment.events).to.deep.equal(['reject'])
    expect(own.postings).to.deep.equal([
      { from: 'merchant_payable', to: 'processor_clearing', amount: 999 },
      { from: 'fee_receivable', to: 'fee_income', amount: 1500 },
    ])
  })
})

describe('a dispute that is won', () => {
  it('makes a rejected payment processed again, and pays it with the next deposit', () => {
    const rejected = aPayment({
      status: 'rejected',
      fundingStatus: 'reversed',
      chargedBack: 2999,
      convFee: 50,
    })
    const win = { id: 'txn_w', amount: 2999 }
    const { own, payment } = decideWin(rejected, { ...win, wasDeposited: true }, today)
    expect(payment.changes).to.deep.equal({
      charged_back: 0,
      status: 'processed',
      status_code: 'approved',
      funding_status: 'batched',
    })
    expect(payment.events).to.deep.equal(['processed'])
    expect(own.entries.map(({ amount }) => amount)).to.deep.equal([2999, -2999])
    const early = decideWin(rejected, { ...win, wasDeposited: false }, today)
    expect(early.payment.changes.funding_status).to.equal('captured')
  })

  it('of a part changes only the charged-back amount of the payment', () => {
    const { payment } = decideWin(
      aPayment({ chargedBack: 1500, fundingStatus: 'batched' }),
      { id: 'txn_w', amount: 500, wasDeposited: true },
      today,
    )
    expect(payment).to.deep.equal({
      changes: { charged_back: 1000 },
      entries: [],
      postings: [],
      events: [],
    })
  })

  it('cannot be a bank return, which is final', () => {
    expect(winRefusal('chargeback')).to.equal(undefined)
    expect(winRefusal('R01')?.details).to.deep.equal({
      transaction_id: 'A bank return (R01) is final',
    })
  })

  it('reverses every posting of its chargeback except the fee', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.nat(5000), (amount, convFee) => {
        const paid = aPayment({ amount, convFee, chargedBack: amount })
        const free = { ...chargeback, amount, fee: 0 }
        const lost = decideChargeback(paid, free, today)
        const rejected = aPayment({ amount, convFee, chargedBack: amount, status: 'rejected' })
        const won = decideWin(rejected, { id: 'txn_w', amount, wasDeposited: false }, today)
        const sums = new Map<string, number>()
        for (const { from, to, amount: moved } of [...lost.own.postings, ...won.own.postings]) {
          sums.set(from, (sums.get(from) ?? 0) - moved)
          sums.set(to, (sums.get(to) ?? 0) + moved)
        }
        expect([...sums.values()].every((sum) => sum === 0)).to.equal(true)
        expect(mayBecome('processed', lost.payment.changes.status ?? 'processed')).to.equal(true)
        expect(mayBecome('rejected', won.payment.changes.status ?? 'rejected')).to.equal(true)
      }),
    )
  })
})

describe('return codes', () => {
  it('have a message in words', () => {
    for (const [code, words] of Object.entries(RETURN_CODES)) {
      expect(isReturn(code)).to.equal(true)
      expect(statusMessage(code)).to.equal(words)
    }
    expect(['chargeback', 'R1', null].map(isReturn)).to.deep.equal([false, false, false])
  })
})
