import type { Minor } from '../../schema/money.js'
import type { Fees } from './fees.js'
import type { Payouts } from './payouts.js'

/**
 * Accounts of the journal, a set for each processing account and currency. An amount leaves `from` and comes to
 * `to`, so that all balances together are always zero.
 */
export type BookAccount =
  /** What the processor has yet to pay: below zero until the funding run. */
  | 'processor_clearing'
  /** What is due to the merchant. */
  | 'merchant_payable'
  /** What is on its way to the merchant's bank account, or from there. */
  | 'bank_in_transit'
  /** What we have: below zero, as it is ours. */
  | 'cash'
  | 'fee_income'
  /** Fees that wait for the month's bill: below zero until it is paid. */
  | 'fee_receivable'
  /** What processors keep for themselves: below zero, as it is spent. */
  | 'processor_cost'
  /** What processors have paid that nothing here explains yet. */
  | 'suspense'
  /** What banks took beyond what payments were worth: below zero, as it is lost. */
  | 'chargeback_loss'

export interface Posting {
  readonly from: BookAccount
  readonly to: BookAccount
  /** Minor units, above zero. */
  readonly amount: Minor
}

/** A payment of `amount` is processed: the processor owes it, the merchant is owed it, and the fee is earned. */
export function paymentPostings(amount: Minor, { convFee, fee, accrued }: Fees): Posting[] {
  return nonzero([
    { from: 'processor_clearing', to: 'merchant_payable', amount },
    { from: 'processor_clearing', to: 'fee_income', amount: convFee },
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: accrued },
  ])
}

/** Money goes back to a payer: a refund, linked or blind, or a credit. Fees stay as they are. */
export function payoutPostings(amount: Minor): Posting[] {
  return nonzero([{ from: 'merchant_payable', to: 'processor_clearing', amount }])
}

/**
 * The payer's bank takes money back: `fee` is charged to the merchant now, `accrued` with the month's bill, and the
 * convenience fee of a payment of which nothing remains is lost, for which the processor takes it from us.
 */
export function chargebackPostings(
  amount: Minor,
  { convFee, fee, accrued }: Fees,
  payouts: Payouts = 'simulated',
): Posting[] {
  return nonzero([
    ...payoutPostings(amount),
    ...takenPostings('fee_income', convFee, payouts),
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: accrued },
  ])
}

/** A dispute is won: the money comes back, with the convenience fee that was lost; the chargeback's fee stays. */
export function disputeWonPostings(amount: Minor, convFee: Minor, payouts: Payouts = 'simulated'): Posting[] {
  return reversed(nonzero([...payoutPostings(amount), ...takenPostings('fee_income', convFee, payouts)]))
}

/** The payer's bank takes more than is left of a payment: the processor takes that from us. */
export function lossPostings(amount: Minor, payouts: Payouts = 'simulated'): Posting[] {
  return nonzero(takenPostings('chargeback_loss', amount, payouts))
}

/** The processor takes an amount from us: at once, or with a payout that it will tell of. */
function takenPostings(from: 'fee_income' | 'chargeback_loss', amount: Minor, payouts: Payouts): Posting[] {
  const taken: Posting = { from, to: 'processor_clearing', amount }
  return payouts === 'simulated' ? [taken, { from: 'processor_clearing', to: 'cash', amount }] : [taken]
}

/** Money that was deposited is clawed back from the merchant's bank account, as the processor debits it from us. */
export function clawbackPostings(amount: Minor): Posting[] {
  return [{ from: 'processor_clearing', to: 'cash', amount }, ...withdrawalPostings(amount)]
}

/** Money goes to the merchant's bank account: a deposit. */
export function depositPostings(amount: Minor): Posting[] {
  return nonzero([
    { from: 'merchant_payable', to: 'bank_in_transit', amount },
    { from: 'bank_in_transit', to: 'cash', amount },
  ])
}

/** Money comes from the merchant's bank account: a reversal. */
export function withdrawalPostings(amount: Minor): Posting[] {
  return reversed(depositPostings(amount)).toReversed()
}

/** Undoes postings: the journal is only ever added to. */
export function reversed(postings: readonly Posting[]): Posting[] {
  return postings.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
}

/** Only what moves something. */
export function nonzero(postings: readonly Posting[]): Posting[] {
  return postings.filter(({ amount }) => amount > 0)
}
