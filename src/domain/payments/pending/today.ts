import type { Work } from '../../../engine/core/write/work.js'
import type { AccountRow, TransactionRow } from '../../../engine/store/database/tables.js'
import {
  businessDayAt,
  type CutOff,
  DEFAULT_CUT_OFF,
  wallDateAt,
} from '../../../platform/calendar/cut-off.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { cutOffOf } from '../../accounts/org-rule.js'

/** Dates at the time of recording. */
export interface Today {
  /** Date in the time zone of the organization, `YYYY-MM-DD`. */
  readonly date: string
  /** End of the processing account's business day, as a datetime. */
  readonly cutOffAt: string
}

/** Today's dates for a processing account; without an organization, in the default time zone. */
export async function businessDayOf(
  work: Work,
  { id, parent_org_id: org }: Pick<AccountRow, 'id' | 'parent_org_id'>,
): Promise<Today> {
  return todayBy(work, org === null ? DEFAULT_CUT_OFF : await cutOffOf(work, id))
}

/** Today's dates for the processing account of a transaction. */
export async function businessDayFor(
  work: Work,
  { processing_id: id }: Pick<TransactionRow, 'processing_id'>,
): Promise<Today> {
  return todayBy(work, id === null ? DEFAULT_CUT_OFF : await cutOffOf(work, id))
}

function todayBy({ milliseconds }: Work, cutOff: CutOff): Today {
  const { endsAt } = businessDayAt(cutOff, milliseconds)
  return { date: wallDateAt(cutOff, milliseconds), cutOffAt: datetimeOf(endsAt) }
}
