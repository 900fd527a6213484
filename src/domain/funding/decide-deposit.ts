import { formatMoney, type Minor } from '../../schema/money.js'
import { addTotals, type FundingTotals, noTotals } from './funding-item.js'
import type { GroupTotals } from './waiting-items.js'

/** When a processing account pays its fees: with each deposit, or once a month. Spec: "Processing settings". */
export type BillingPreference = 'netted_daily' | 'billed_monthly'

/** Fees of a deposit or a bill: charged with it, or carried to the month's bill. Minor units. */
export interface FundingCharges {
  readonly fee: Minor
  readonly carried: Minor
}

const noCharges: FundingCharges = { fee: 0, carried: 0 }

/** The fees of transactions, charged now or carried to the bill, by the account's preference. */
export function chargesOf(
  billing: BillingPreference,
  { fee, accrued }: Pick<FundingTotals, 'fee' | 'accrued'>,
): FundingCharges {
  return billing === 'netted_daily' ? { fee: fee + accrued, carried: 0 } : { fee: 0, carried: fee + accrued }
}

/**
 * Billing mode of a deposit: it either nets its fees or carries them to the bill, not both. A started deposit keeps
 * its mode, even if the account's preference changes.
 */
export function billingOf(
  { fee, carried }: FundingCharges,
  preference: BillingPreference,
): BillingPreference {
  if (fee > 0) return 'netted_daily'
  return carried > 0 ? 'billed_monthly' : preference
}

/** The fee of the deposit itself; 0 for an empty one. */
export function batchChargeOf(billing: BillingPreference, batchFee: Minor, entries: number): FundingCharges {
  return chargesOf(billing, { fee: entries > 0 ? batchFee : 0, accrued: 0 })
}

export function addCharges(a: FundingCharges, b: FundingCharges): FundingCharges {
  return { fee: a.fee + b.fee, carried: a.carried + b.carried }
}

/** Result of a business day for the merchant. Minor units above zero. */
export type DepositOutcome =
  | { readonly kind: 'deposit' | 'reversal'; readonly amount: Minor }
  /** No amount is left to pay: all entries wait for the next run. */
  | { readonly kind: 'waits' }

/**
 * Decides whether the day's transaction is a deposit, which pays the merchant, or a reversal, which takes money back.
 * Both have the same entries. A deposit has `amount + fee = due`, a reversal `fee - amount = due`. See docs/money.md,
 * "Cut-off and deposits".
 */
export function decideDeposit(due: Minor, fee: Minor): DepositOutcome {
  const net = due - fee
  if (net === 0) return { kind: 'waits' }
  return net > 0 ? { kind: 'deposit', amount: net } : { kind: 'reversal', amount: -net }
}

/** Entries and sums of a deposit so far. */
export interface BegunDeposit {
  readonly entries: number
  readonly due: Minor
  readonly charges: FundingCharges
}

export const notBegun: BegunDeposit = { entries: 0, due: 0, charges: noCharges }

/** Parts of a future deposit: the transactions that wait for it, and its entries so far. */
export interface DepositParts {
  readonly billing: BillingPreference
  readonly batchFee: Minor
  readonly group: GroupTotals
  readonly begun: BegunDeposit
}

export interface ExpectedDeposit {
  readonly outcome: DepositOutcome
  readonly entries: number
  readonly charges: FundingCharges
}

/** The deposit that a funding run will make for a business day. The run itself uses this function. */
export function expectedDeposit({ billing, batchFee, group, begun }: DepositParts): ExpectedDeposit {
  const totals = addTotals(group.due, billing === 'netted_daily' ? group.feeOnly : noTotals)
  const entries = begun.entries + totals.entries
  const charges = [chargesOf(billing, totals), batchChargeOf(billing, batchFee, entries)].reduce(
    addCharges,
    begun.charges,
  )
  return { outcome: decideDeposit(begun.due + totals.due, charges.fee), entries, charges }
}

/** Parts of a month's bill. Minor units. */
export interface BillParts {
  /** Fees that waited for the bill. */
  readonly carried: Minor
  /** Fees that the month's deposits have charged. */
  readonly taken: Minor
  readonly monthlyFee: Minor
  /** The minimum of all fees of a month. */
  readonly minimumBill: Minor
}

/** Fees of a month besides those of its transactions: the monthly fee, and the amount missing to the minimum. */
export function fixedFeesOf(parts: BillParts): Minor {
  return parts.monthlyFee + missingToMinimum(parts)
}

function missingToMinimum({ carried, taken, monthlyFee, minimumBill }: BillParts): Minor {
  return Math.max(0, minimumBill - carried - taken - monthlyFee)
}

/** The `description` of a month's bill (`YYYY-MM`), which names its parts. */
export function billText(month: string, parts: BillParts): string {
  const named = [
    ['transactions and deposits', parts.carried],
    ['monthly fee', parts.monthlyFee],
    ['up to the minimum', missingToMinimum(parts)],
  ] as const
  const said = named
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => `${name} ${formatMoney(amount)}`)
  return `Fees of ${month}: ${said.join(', ')}`
}
