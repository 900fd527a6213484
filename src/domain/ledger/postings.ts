import type { Minor } from '../../schema/money.js'
import type { Fees } from './fees.js'
import type { Payouts } from './payouts.js'

/**
 * Accounts of the journal, a set for each processing account and currency. An amount leaves `from` and comes to
 * `to`, so that all balances together are always zero.
 */
export type BookAccount =
  /** Amount that the processor has yet to pay: below zero until the funding run. */
  | 'processor_clearing'
  /** Amount due to the merchant. */
  | 'merchant_payable'
  /** Money on its way to the merchant's bank account, or from there. */
  | 'bank_in_transit'
  /** Our own money: below zero, as it is an asset. */
  | 'cash'
  | 'fee_income'
  /** Fees that wait for the month's bill: below zero until it is paid. */
  | 'fee_receivable'
  /** Costs kept by processors: below zero, as they are spent. */
  | 'processor_cost'
  /** Payments of processors that match no transaction yet. */
  | 'suspense'
  /** Money of others that passes through the same account at a gateway, and movements of its owner. */
  | 'outside'
  /** Amounts that processors hold back: below zero, as they are an asset. */
  | 'reserve'
  /** Amounts that banks took beyond the worth of payments: below zero, as they are lost. */
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

/** Money goes back to a payer: a refund, linked or blind, or a credit. Fees are not returned. */
export function payoutPostings(amount: Minor): Posting[] {
  return nonzero([{ from: 'merchant_payable', to: 'processor_clearing', amount }])
}

/**
 * Postings for money that the payer's bank takes back. `fee` is charged to the merchant now, `accrued` with the month's
 * bill. If no amount of the payment is left, its convenience fee is lost: the processor takes it from us.
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

/**
 * The processor takes an amount from us: at once if payouts are simulated, otherwise with a payout that it reports
 * later.
 */
function takenPostings(
  from: 'fee_income' | 'chargeback_loss' | 'processor_cost',
  amount: Minor,
  payouts: Payouts,
): Posting[] {
  const taken: Posting = { from, to: 'processor_clearing', amount }
  return payouts === 'simulated' ? [taken, { from: 'processor_clearing', to: 'cash', amount }] : [taken]
}

/**
 * Postings of a clawback: deposited money is taken from the merchant's bank account, as the processor debits it from
 * us.
 */
export function clawbackPostings(amount: Minor): Posting[] {
  return [{ from: 'processor_clearing', to: 'cash', amount }, ...withdrawalPostings(amount)]
}

/** Whether a gateway paid an amount to us, or took it. */
export type Direction = 'paid' | 'taken'

/** The processor has taken an amount as its cost, or has given a cost back. */
export function costPostings(amount: Minor, direction: Direction, payouts: Payouts): Posting[] {
  const taken = nonzero(takenPostings('processor_cost', amount, payouts))
  return direction === 'taken' ? taken : reversed(taken)
}

/** The processor holds an amount back. */
export function reservePostings(amount: Minor): Posting[] {
  return nonzero([{ from: 'reserve', to: 'processor_clearing', amount }])
}

/** The processor pays out an amount that it has held back. */
export function reserveReleasedPostings(amount: Minor): Posting[] {
  return reversed(reservePostings(amount))
}

/** The owner of the account at the gateway has moved an amount into it, or out of it. */
export function ownTransferPostings(amount: Minor, direction: Direction): Posting[] {
  const taken = nonzero([{ from: 'outside', to: 'processor_clearing', amount } as const])
  return direction === 'taken' ? taken : reversed(taken)
}

/**
 * The merchant has paid a payer in another way, after a refund had failed: the merchant keeps the amount that came back
 * to the gateway. With simulated payouts the next deposit is lower, as the ledger has the refund.
 */
export function paidOtherwisePostings(amount: Minor, payouts: Payouts): Posting[] {
  return payouts === 'simulated'
    ? []
    : nonzero([{ from: 'processor_clearing', to: 'merchant_payable', amount }])
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

/** Opposite postings, which undo the given ones: stored postings are never changed. */
export function reversed(postings: readonly Posting[]): Posting[] {
  return postings.map(({ from, to, amount }) => ({ from: to, to: from, amount }))
}

/** The postings whose amount is not 0. */
export function nonzero(postings: readonly Posting[]): Posting[] {
  return postings.filter(({ amount }) => amount > 0)
}
