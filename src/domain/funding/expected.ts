import {
  type Billing,
  batchChargeOf,
  type Charges,
  chargesOf,
  decideDeposit,
  type Outcome,
  plusCharges,
} from './decide-deposit.js'
import { nothingAtAll, plus } from './item.js'
import type { GroupTotals } from './read-totals.js'

/** What a day's deposit is made of before it is put together, and what is in it already if that has begun. */
export interface Day {
  readonly billing: Billing
  readonly batchFee: number
  readonly group: GroupTotals
  readonly begun: { readonly entries: number; readonly entered: number; readonly charges: Charges }
}

export const notBegun: Day['begun'] = { entries: 0, entered: 0, charges: { fee: 0, carried: 0 } }

export interface ExpectedDay {
  readonly outcome: Outcome
  readonly entries: number
  readonly charges: Charges
}

/** What the run will make of a day. The same rules decide it that put the deposit together. */
export function expectedDay({ billing, batchFee, group, begun }: Day): ExpectedDay {
  const totals = plus(group.entering, billing === 'netted_daily' ? group.lone : nothingAtAll)
  const entries = begun.entries + totals.entries
  const charges = [chargesOf(billing, totals), batchChargeOf(billing, batchFee, entries)].reduce(
    plusCharges,
    begun.charges,
  )
  return { outcome: decideDeposit(begun.entered + totals.entered, charges.fee), entries, charges }
}
