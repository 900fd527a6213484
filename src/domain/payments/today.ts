import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow, TransactionRow } from '../../engine/store/database/tables.js'
import { businessDayAt, type CutOff, DEFAULT_CUT_OFF } from '../../platform/calendar/cut-off.js'
import { dateOf, datetimeOf } from '../../schema/datetime.js'
import { timeZoneOf } from '../accounts/org.js'

/** What the calendar says when something is recorded. */
export interface Today {
  /** `YYYY-MM-DD` in UTC. */
  readonly date: string
  /** When the business day of the processing account ends, as a datetime. */
  readonly cutOffAt: string
}

/** The day of an account; one that belongs to no organization keeps the default time zone. */
export async function businessDayOf(
  work: Work,
  { id, parent_org_id: org }: Pick<AccountRow, 'id' | 'parent_org_id'>,
): Promise<Today> {
  return todayBy(work, org === null ? DEFAULT_CUT_OFF : await cutOffOf(work, id))
}

/** The day of the account that a transaction goes to. */
export async function businessDayFor(
  work: Work,
  { processing_id: id }: Pick<TransactionRow, 'processing_id'>,
): Promise<Today> {
  return todayBy(work, id === null ? DEFAULT_CUT_OFF : await cutOffOf(work, id))
}

/** When the business days of a processing account end. Money: "funding_status". */
export async function cutOffOf(work: Work, processingId: string): Promise<CutOff> {
  const timeZone = await timeZoneOf(work, processingId)
  return timeZone === undefined ? DEFAULT_CUT_OFF : { ...DEFAULT_CUT_OFF, timeZone }
}

function todayBy({ now, milliseconds }: Work, cutOff: CutOff): Today {
  return { date: dateOf(now), cutOffAt: datetimeOf(businessDayAt(cutOff, milliseconds).endsAt) }
}
