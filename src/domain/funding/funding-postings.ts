import type { Minor } from '../../schema/money.js'
import { depositPostings, nonzero, type Posting, withdrawalPostings } from '../ledger/postings.js'
import type { BillingPreference, FundingCharges } from './decide-deposit.js'
import type { FundingTotals } from './funding-item.js'

/**
 * Postings for items that are added to a deposit or a bill. The processor pays the items with their convenience fees,
 * or takes the amount back if their sum is negative. Fees recorded for the other billing mode are moved to this one.
 */
export function partPostings(
  billing: BillingPreference,
  { due, convFee, fee, accrued }: FundingTotals,
): Posting[] {
  const paid = due + convFee
  return nonzero([
    { from: 'cash', to: 'processor_clearing', amount: paid },
    { from: 'processor_clearing', to: 'cash', amount: -paid },
    // Fees that waited for the bill are taken from the merchant now; or fees meant for the deposit now wait for the
    // bill.
    billing === 'netted_daily'
      ? { from: 'merchant_payable', to: 'fee_receivable', amount: accrued }
      : { from: 'fee_receivable', to: 'merchant_payable', amount: fee },
  ])
}

/** Postings for the fee of a deposit itself, or for the fixed fees of a month. */
export function earnedPostings({ fee, carried }: FundingCharges): Posting[] {
  return nonzero([
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: carried },
  ])
}

/** Postings that send an amount to the merchant's bank account (`deposit`), or take it from there (`reversal`). */
export function transferPostings(kind: 'deposit' | 'reversal', amount: Minor): Posting[] {
  return kind === 'deposit' ? depositPostings(amount) : withdrawalPostings(amount)
}
