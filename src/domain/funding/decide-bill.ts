import type { Minor } from '../../schema/money.js'

/** What a month's bill is made of. Minor units. */
export interface BillParts {
  /** Fees that waited for it. */
  readonly carried: Minor
  /** Fees that were taken out of the month's deposits. */
  readonly taken: Minor
  readonly monthlyFee: Minor
  /** The least that a month costs. */
  readonly minimum: Minor
}

/** What a month costs beside the fees of its transactions: the monthly fee, and what is missing to the minimum. */
export function fixedFeesOf({ carried, taken, monthlyFee, minimum }: BillParts): Minor {
  return monthlyFee + Math.max(0, minimum - carried - taken - monthlyFee)
}
