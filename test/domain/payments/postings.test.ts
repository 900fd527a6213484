import { expect } from 'chai'
import fc from 'fast-check'
import { feesOf, type Price } from '../../../src/domain/ledger/fees.js'
import {
  type BookAccount,
  type Posting,
  paymentPostings,
  payoutPostings,
  reversed,
} from '../../../src/domain/ledger/postings.js'
import { decideCapture, decideVoid } from '../../../src/domain/payments/outcome/decide-outcome.js'
import { aPayment, TODAY } from './given.js'

type Balances = Record<BookAccount, number>

function balances(postings: readonly Posting[]): Balances {
  const sums: Balances = { ...noBalances }
  for (const { from, to, amount } of postings) {
    sums[from] -= amount
    sums[to] += amount
  }
  return sums
}

const noBalances: Balances = {
  processor_clearing: 0,
  merchant_payable: 0,
  bank_in_transit: 0,
  cash: 0,
  fee_income: 0,
  fee_receivable: 0,
  processor_cost: 0,
  suspense: 0,
  outside: 0,
  reserve: 0,
  chargeback_loss: 0,
}

const amounts = fc.integer({ min: 1, max: 9_999_999_999 })
const prices: fc.Arbitrary<Price> = fc.record({
  rate: fc.nat(200_000),
  cost: fc.nat(1000),
  alloc: fc.nat(1_000_000),
  billing: fc.constantFrom('netted_daily', 'billed_monthly'),
})

describe('postings', () => {
  it('of a payment credit the merchant with the net amount, and charge the payer amount and convenience fee', () => {
    fc.assert(
      fc.property(amounts, prices, (amount, price) => {
        const fees = feesOf(amount, price)
        const postings = paymentPostings(amount, fees)
        expect(balances(postings)).to.deep.equal({
          ...noBalances,
          processor_clearing: 0 - (amount + fees.convFee),
          merchant_payable: amount - fees.fee,
          fee_income: fees.convFee + fees.fee + fees.accrued,
          fee_receivable: 0 - fees.accrued,
        })
        for (const posting of postings) expect(posting.amount).to.be.above(0)
      }),
    )
  })

  it('leave every account at zero after a void', () => {
    fc.assert(
      fc.property(amounts, prices, (amount, price) => {
        const { convFee, fee, accrued } = feesOf(amount, price)
        const payment = aPayment({ amount, convFee, fee, accruedFee: accrued })
        const taken = decideCapture({ ...payment, status: 'authorized' }, TODAY).postings
        const sums = balances([...taken, ...decideVoid(payment).postings])
        expect(sums).to.deep.equal(noBalances)
      }),
    )
  })

  it('of full refunds leave only the fees that are kept on the accounts of processor and merchant', () => {
    fc.assert(
      fc.property(
        amounts,
        prices,
        fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 5 }),
        (amount, price, parts) => {
          const fees = feesOf(amount, price)
          const refunds: number[] = []
          for (const part of [...parts, amount]) {
            const left = amount - refunds.reduce((sum, refund) => sum + refund, 0)
            if (left > 0) refunds.push(Math.min(part, left))
          }
          const postings = [...paymentPostings(amount, fees), ...refunds.flatMap(payoutPostings)]
          const sums = balances(postings)
          expect(sums.processor_clearing).to.equal(0 - fees.convFee)
          expect(sums.merchant_payable).to.equal(0 - fees.fee)
        },
      ),
    )
  })

  it('of any kind are cancelled by their reversal', () => {
    const accounts = fc.constantFrom<BookAccount>(
      'processor_clearing',
      'merchant_payable',
      'fee_income',
      'fee_receivable',
    )
    const posting = fc.record({ from: accounts, to: accounts, amount: amounts })
    fc.assert(
      fc.property(fc.array(posting), (postings) => {
        expect(balances([...postings, ...reversed(postings)])).to.deep.equal(noBalances)
      }),
    )
  })
})
