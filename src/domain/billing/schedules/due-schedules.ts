import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'

/** A schedule, and when it bills next: a datetime. */
export interface DueSchedule {
  readonly id: string
  readonly bills_at: string
}

/** How many are looked for at once. */
const BATCH_SIZE = 100

/** When a schedule bills for the first time after a datetime. */
export async function nextBilling({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstAfter, { after })
  return first?.bills_at
}

/** The next schedules behind `last`, in the order of time, that bill until a datetime; a portion of them. */
export async function dueSchedules(
  { tx }: Work,
  until: string,
  last: DueSchedule = { id: '', bills_at: '' },
): Promise<DueSchedule[]> {
  return await tx.run(dueAfter, { until, id: last.id, at: last.bills_at })
}

const billsAt = sql<string>`bills_at`.as('bills_at')

const firstAfter = prepared<{ after: string }, { bills_at: string }>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select(billsAt)
    .where('bills_at', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('bills_at')
    .limit(1),
)

const dueAfter = prepared<{ until: string; id: string; at: string }, DueSchedule>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select(['id', billsAt])
    .where('bills_at', '<=', param('until'))
    .where(sql<boolean>`(bills_at, id) > (${param('at')}, ${param('id')})`)
    .where('deleted_at', 'is', null)
    .orderBy('bills_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)
