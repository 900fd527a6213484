import type { Minor } from '../../schema/money.js'
import { depositPostings, nonzero, type Posting, withdrawalPostings } from '../ledger/postings.js'
import type { BillingPreference, FundingCharges } from './decide-deposit.js'
import type { FundingTotals } from './funding-item.js'

/**
 * Postings for items that are added to a deposit or a bill. The processor pays the items with their convenience fees,
 * or takes them if their sum is negative. Fees move between netted and billed where necessary.
 */
export function partPostings(
  billing: BillingPreference,
  { due, convFee, fee, accrued }: FundingTotals,
): Posting[] {
  const paid = due + convFee
  return nonzero([
    { from: 'cash', to: 'processor_clearing', amount: paid },
    { from: 'processor_clearing', to: 'cash', amount: -paid },
    // Fees that waited for the bill are taken from the merchant, or the other way round.
    billing === 'netted_daily'
      ? { from: 'merchant_payable', to: 'fee_receivable', amount: accrued }
      : { from: 'fee_receivable', to: 'merchant_payable', amount: fee },
  ])
}

/** The account's own fees are earned: those of a deposit or a month. */
export function earnedPostings({ fee, carried }: FundingCharges): Posting[] {
  return nonzero([
    { from: 'merchant_payable', to: 'fee_income', amount: fee },
    { from: 'fee_receivable', to: 'fee_income', amount: carried },
  ])
}

/** The money goes to the merchant's bank account, or comes from there. */
export function transferPostings(kind: 'deposit' | 'reversal', amount: Minor): Posting[] {
  return kind === 'deposit' ? depositPostings(amount) : withdrawalPostings(amount)
}
