import type { Minor } from '../../schema/money.js'
import { depositPostings, moving, type Posting, withdrawalPostings } from '../ledger/postings.js'
import type { Billing, Charges } from './decide-deposit.js'
import type { Totals } from './item.js'

/**
 * What goes into a deposit (or a bill) is settled: the processor pays it, convenience fees included, or takes it when it is
 * below zero; and its fees change hands between what is netted and what is billed.
 */
export function partPostings(billing: Billing, { entered, convFee, fee, accrued }: Totals): Posting[] {
  const paid = entered + convFee
  return moving([
    { from: 'cash', to: 'processor_clearing', amount: paid },
    { from: 'processor_clearing', to: 'cash', amount: -paid },
    ...(billing === 'netted_daily' ? billedPostings(accrued) : carriedPostings(fee)),
  ])
}

/** Fees that waited for the bill are taken from the merchant. */
function billedPostings(amount: Minor): Posting[] {
  return [{ from: 'merchant_payable', to: 'fee_receivable', amount }]
}

/** Fees that were to be netted wait for the bill. */
function carriedPostings(amount: Minor): Posting[] {
  return [{ from: 'fee_receivable', to: 'merchant_payable', amount }]
}

/** Fees of the account itself are earned: a deposit's, a month's. */
export function earnedPostings({ fee, carried }: Charges): Posting[] {
  return moving([
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: carried },
  ])
}

/** The money goes to the merchant's bank account, or comes from there. */
export function transferPostings(kind: 'deposit' | 'reversal', amount: Minor): Posting[] {
  return kind === 'deposit' ? depositPostings(amount) : withdrawalPostings(amount)
}
