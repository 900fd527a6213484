import type { DueJob } from '../../engine/jobs/job.js'
import { monthlyBills } from './bill-run.js'
import { cutOff } from './cut-off.js'
import { funding } from './funding-run.js'
import type { Told } from './told.js'

/** Funding follows the cut-off by an hour. */
const HOUR = 3_600_000

/** What one job makes for the next is due a millisecond later, so that it is found in this order. */
const MOMENT = 1

/** What ends business days, pays them and bills months, by itself. Money: "funding_status". */
export function settlement(): readonly DueJob[] {
  return [cutOff(), funding(HOUR), monthlyBills(HOUR + MOMENT)]
}

/** The same by hand, when nothing waits: within `WITHIN` milliseconds of the cut-off. */
export function settlementAtOnce(told: Told): readonly DueJob[] {
  return [cutOff(told), funding(MOMENT, told), monthlyBills(2 * MOMENT, told)]
}
export const WITHIN = 2 * MOMENT
