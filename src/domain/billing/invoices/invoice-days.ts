import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { InvoiceRow } from '../../../engine/store/database/tables.js'
import { LAST_DATE } from '../../../platform/calendar/date.js'
import { endOfDay, instantOf } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { cutOffOf } from '../../accounts/org-rule.js'

/** The time zone in which the days of a processing account begin and end. */
export async function zoneOf(work: Work, processingId: string): Promise<string> {
  return (await cutOffOf(work, processingId)).timeZone
}

/**
 * Time at which an invoice becomes overdue: the end of its due date in a time zone, as a datetime; null for never.
 */
export function overdueAt(zone: string, dueDate: string | null): string | null {
  return dueDate === null || dueDate >= LAST_DATE ? null : datetimeOf(endOfDay(zone, dueDate))
}

/**
 * Recalculates when the invoices of a processing account become overdue. Called when its time zone may have changed:
 * the account has another organization, or its organization another time zone. Runs one statement for each due date.
 */
export async function moveDueDates(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { due_date: dueDate } of await work.tx.run(dueDates, { processingId }))
    if (dueDate !== null)
      await work.tx.change(moveOverdue, { processingId, dueDate, overdueAt: overdueAt(zone, dueDate) })
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

interface MovedDueDate {
  readonly processingId: string
  readonly dueDate: string
  readonly overdueAt: string | null
}

const moveOverdue = prepared<MovedDueDate, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ overdue_at: param('overdueAt') })
    .where('processing_id', '=', param('processingId'))
    .where('due_date', '=', param('dueDate'))
    .where('deleted_at', 'is', null),
)

type Collecting = Pick<InvoiceRow, 'collect_on' | 'collect_at'>

/** Columns of an invoice that automatic payments do not collect, or no longer collect. */
export const notCollecting: Collecting = { collect_on: null, collect_at: null }

/** Columns of an invoice for which the next automatic payment is due when a day begins in a time zone. */
export function collectingFrom(zone: string, date: string | null): Collecting {
  if (date === null || date >= LAST_DATE) return notCollecting
  return { collect_on: date, collect_at: datetimeOf(instantOf(zone, date)) }
}

/**
 * Changes the columns directly: the invoice keeps its `modified_at`, and no event is sent. Returns the changed
 * invoice.
 */
export async function setCollecting(
  work: Work,
  id: string,
  { collect_on: date, collect_at: at }: Collecting,
): Promise<InvoiceRow> {
  await work.tx.change(setCollectAt, { id, date, at })
  return await work.refresh(resources.invoice, id)
}

/**
 * Recalculates when the next automatic payments are due, after the time zone of a processing account may have
 * changed. Runs one statement for each day.
 */
export async function moveCollecting(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { collect_on: date } of await work.tx.run(collectingDays, { processingId })) {
    const { collect_at: at } = collectingFrom(zone, date)
    if (date !== null) await work.tx.change(moveCollectAt, { processingId, date, at })
  }
}

const setCollectAt = prepared<{ id: string; date: string | null; at: string | null }, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ collect_on: param('date'), collect_at: param('at') })
    .where('id', '=', param('id')),
)

const collectingDays = prepared<{ processingId: string }, Pick<InvoiceRow, 'collect_on'>>((db, param) =>
  db
    .selectFrom('invoices')
    .select('collect_on')
    .distinct()
    .where('processing_id', '=', param('processingId'))
    .where('collect_on', 'is not', null),
)

const moveCollectAt = prepared<{ processingId: string; date: string; at: string | null }, never>(
  (db, param) =>
    db
      .updateTable('invoices')
      .set({ collect_at: param('at') })
      .where('processing_id', '=', param('processingId'))
      .where('collect_on', '=', param('date')),
)
