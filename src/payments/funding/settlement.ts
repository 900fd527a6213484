import type { DueJob } from '../../due/job.js'
import { monthlyBills } from './bill-run.js'
import { cutOff } from './cut-off.js'
import { funding } from './funding-run.js'
import type { Told } from './told.js'

/** Funding follows the cut-off by an hour. */
const HOUR = 3_600_000

/** What ends business days, pays them and bills months, in this order at the same moment. Money: "funding_status". */
export function settlement(delay = HOUR, told: Told = {}): readonly DueJob[] {
  return [cutOff(told), funding(delay, told), monthlyBills(delay, told)]
}
