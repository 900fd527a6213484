import type { Minor } from '../schema/money.js'
import type { Fees } from './fees.js'

/**
 * Accounts of the journal, a set for each processing account and currency. An amount leaves `from` and comes to
 * `to`, so that all balances together are always zero.
 */
export type BookAccount =
  /** What the processor has yet to pay: below zero until the funding run. */
  | 'processor_clearing'
  /** What is due to the merchant. */
  | 'merchant_payable'
  | 'fee_income'
  /** Fees that wait for the month's bill: below zero until it is paid. */
  | 'fee_receivable'

export interface Posting {
  readonly from: BookAccount
  readonly to: BookAccount
  /** Minor units, above zero. */
  readonly amount: Minor
}

/** A payment of `amount` is processed: the processor owes it, the merchant is owed it, and the fee is earned. */
export function paymentPostings(amount: Minor, { convFee, fee, accrued }: Fees): Posting[] {
  return moving([
    { from: 'processor_clearing', to: 'merchant_payable', amount },
    { from: 'processor_clearing', to: 'fee_income', amount: convFee },
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: accrued },
  ])
}

/** Money goes back to a payer: a refund, linked or blind, or a credit. Fees stay as they are. */
export function payoutPostings(amount: Minor): Posting[] {
  return moving([{ from: 'merchant_payable', to: 'processor_clearing', amount }])
}

/** Undoes postings: the journal is only ever added to. */
export function reversed(postings: readonly Posting[]): Posting[] {
  return postings.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
}

function moving(postings: readonly Posting[]): Posting[] {
  return postings.filter(({ amount }) => amount > 0)
}
