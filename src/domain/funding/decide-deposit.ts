import type { Minor } from '../../schema/money.js'
import type { Totals } from './item.js'

/** How a processing account pays its fees. Spec: "Processing settings". */
export type Billing = 'netted_daily' | 'billed_monthly'

/** Fees of a day: taken out of its deposit, or carried to the month's bill. */
export interface Charges {
  readonly fee: Minor
  readonly carried: Minor
}

/** What the items of a part are charged. */
export function chargesOf(billing: Billing, { fee, accrued }: Pick<Totals, 'fee' | 'accrued'>): Charges {
  return billing === 'netted_daily' ? { fee: fee + accrued, carried: 0 } : { fee: 0, carried: fee + accrued }
}

/** The fee of the deposit itself, if anything stands in it. */
export function batchChargeOf(billing: Billing, batchFee: Minor, entries: number): Charges {
  return chargesOf(billing, { fee: entries > 0 ? batchFee : 0, accrued: 0 })
}

export function plusCharges(a: Charges, b: Charges): Charges {
  return { fee: a.fee + b.fee, carried: a.carried + b.carried }
}

/** What a day comes to for the merchant. Minor units above zero. */
export type Outcome =
  | { readonly kind: 'deposit' | 'reversal'; readonly amount: Minor }
  /** Nothing is left to be moved: everything waits for the next run. */
  | { readonly kind: 'waits' }

/**
 * A deposit when more was taken in than is charged, `amount + fee = entered`; else a reversal with the same entries,
 * `fee - amount = entered`. Money: "Ledger, deposits, journal".
 */
export function decideDeposit(entered: Minor, fee: Minor): Outcome {
  const net = entered - fee
  if (net === 0) return { kind: 'waits' }
  return net > 0 ? { kind: 'deposit', amount: net } : { kind: 'reversal', amount: -net }
}
