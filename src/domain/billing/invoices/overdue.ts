import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { LAST_DATE } from '../../../platform/calendar/date.js'
import { endOfDay } from '../../../platform/calendar/zone.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { cutOffOf } from '../../payments/today.js'

/** The time zone that the days of a processing account begin and end by. */
export async function zoneOf(work: Work, processingId: string): Promise<string> {
  return (await cutOffOf(work, processingId)).timeZone
}

/** From when an invoice is overdue: the end of its due date in a time zone, as a datetime. Nothing: never. */
export function overdueAt(zone: string, dueDate: string | null): string | null {
  return dueDate === null || dueDate >= LAST_DATE ? null : datetimeOf(endOfDay(zone, dueDate))
}

/**
 * Invoices of a processing account become overdue by its time zone, which may be another one now: the account belongs
 * to another organization, or the organization has moved. One statement for each due date.
 */
export async function moveDueDates(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { due_date: dueDate } of await work.tx.run(dueDates, { processingId }))
    if (dueDate !== null)
      await work.tx.change(move, { processingId, dueDate, overdueAt: overdueAt(zone, dueDate) })
}

const dueDates = prepared<{ processingId: string }, { due_date: string | null }>((db, param) =>
  db
    .selectFrom('invoices')
    .select('due_date')
    .distinct()
    .where('processing_id', '=', param('processingId'))
    .where('due_date', 'is not', null)
    .where('deleted_at', 'is', null),
)

interface Move {
  readonly processingId: string
  readonly dueDate: string
  readonly overdueAt: string | null
}

const move = prepared<Move, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ overdue_at: param('overdueAt') })
    .where('processing_id', '=', param('processingId'))
    .where('due_date', '=', param('dueDate'))
    .where('deleted_at', 'is', null),
)
