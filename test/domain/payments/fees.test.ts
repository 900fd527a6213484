import { expect } from 'chai'
import fc from 'fast-check'
import { feesOf, methodKind, type Price, priceOf, wholeFee } from '../../../src/domain/ledger/fees.js'

const amounts = fc.integer({ min: 1, max: 9_999_999_999 })
const prices: fc.Arbitrary<Price> = fc.record({
  rate: fc.nat(1_000_000),
  cost: fc.nat(100_000),
  alloc: fc.nat(1_000_000),
  billing: fc.constantFrom('netted_daily', 'billed_monthly'),
})

const KINDS = ['credit', 'debit', 'prepaid', 'bank_account'] as const
const NO_PRICES = {
  credit_trans_rate: null,
  credit_trans_cost: null,
  credit_conv_fee_alloc: null,
  debit_trans_rate: null,
  debit_trans_cost: null,
  debit_conv_fee_alloc: null,
  prepaid_trans_rate: null,
  prepaid_trans_cost: null,
  prepaid_conv_fee_alloc: null,
  bank_account_trans_rate: null,
  bank_account_trans_cost: null,
  bank_account_conv_fee_alloc: null,
}

describe('fees', () => {
  it('are zero if an account has no prices', () => {
    for (const kind of KINDS)
      expect(priceOf({ ...NO_PRICES, billing_preference: null }, kind)).to.deep.equal({
        rate: 0,
        cost: 0,
        alloc: 0,
        billing: 'netted_daily',
      })
  })

  it('follow the example of the deposit: 29.99 at 2.9 % + 0.30 costs 1.17', () => {
    const price: Price = { rate: 29_000, cost: 30, alloc: 0, billing: 'netted_daily' }
    expect(feesOf(2999, price)).to.deep.equal({ convFee: 0, fee: 117, accrued: 0 })
    expect(feesOf(2999, { ...price, billing: 'billed_monthly' })).to.deep.equal({
      convFee: 0,
      fee: 0,
      accrued: 117,
    })
  })

  it('apply 2.875 % exactly, rounded half away from zero', () => {
    expect(wholeFee(10_000, { rate: 28_750, cost: 0 })).to.equal(288)
    expect(wholeFee(100_000_000, { rate: 28_750, cost: 0 })).to.equal(2_875_000)
  })

  it('have parts that add up to the whole exactly, never negative', () => {
    fc.assert(
      fc.property(amounts, prices, (amount, price) => {
        const { convFee, fee, accrued } = feesOf(amount, price)
        expect(convFee + fee + accrued).to.equal(wholeFee(amount, price))
        for (const part of [convFee, fee, accrued]) {
          expect(Number.isSafeInteger(part)).to.equal(true)
          expect(part).to.be.at.least(0)
        }
        expect(price.billing === 'netted_daily' ? accrued : fee).to.equal(0)
      }),
    )
  })

  it('never decrease when the amount, the rate or the cost increases', () => {
    const more = fc.nat(10_000)
    fc.assert(
      fc.property(amounts, prices, more, (amount, price, by) => {
        const fee = wholeFee(amount, price)
        expect(wholeFee(amount + by, price)).to.be.at.least(fee)
        expect(wholeFee(amount, { ...price, rate: price.rate + by })).to.be.at.least(fee)
        expect(wholeFee(amount, { ...price, cost: price.cost + by })).to.equal(fee + by)
      }),
    )
  })

  it('are paid by the payer, the merchant, or both, according to the settings', () => {
    fc.assert(
      fc.property(amounts, prices, (amount, price) => {
        expect(feesOf(amount, { ...price, alloc: 0 }).convFee).to.equal(0)
        const all = feesOf(amount, { ...price, alloc: 1_000_000 })
        expect(all).to.deep.equal({ convFee: wholeFee(amount, price), fee: 0, accrued: 0 })
        const lower = feesOf(amount, { ...price, alloc: Math.floor(price.alloc / 2) })
        expect(feesOf(amount, price).convFee).to.be.at.least(lower.convFee)
      }),
    )
  })

  it('depend on the kind of method; a gift card has the price of a prepaid card', () => {
    expect(methodKind({ type: 'bank_account', card__card_type: null })).to.equal('bank_account')
    expect(methodKind({ type: 'card', card__card_type: null })).to.equal('credit')
    expect(methodKind({ type: 'card', card__card_type: 'credit' })).to.equal('credit')
    expect(methodKind({ type: 'card', card__card_type: 'debit' })).to.equal('debit')
    expect(methodKind({ type: 'card', card__card_type: 'prepaid' })).to.equal('prepaid')
    expect(methodKind({ type: 'card', card__card_type: 'gift' })).to.equal('prepaid')
  })
})
