import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { InvoiceRow } from '../../../engine/store/database/tables.js'
import { LAST_DATE } from '../../../platform/calendar/date.js'
import { instantOf } from '../../../platform/calendar/zone.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { zoneOf } from './overdue.js'

type Collecting = Pick<InvoiceRow, 'collect_on' | 'collect_at'>

/** An invoice is not collected (any more). */
export const notCollecting: Collecting = { collect_on: null, collect_at: null }

/** An invoice is collected from a day on, which begins in a time zone. */
export function collectingFrom(zone: string, date: string | null): Collecting {
  if (date === null || date >= LAST_DATE) return notCollecting
  return { collect_on: date, collect_at: datetimeOf(instantOf(zone, date)) }
}

/** Not as an update of the invoice: for its clients nothing was changed. */
export async function setCollecting(
  work: Work,
  id: string,
  { collect_on: date, collect_at: at }: Collecting,
): Promise<void> {
  await work.tx.change(set, { id, date, at })
  await work.refresh('invoice', id)
}

/** The days of a processing account's invoices may begin at another time now. One statement for each day. */
export async function moveCollecting(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { collect_on: date } of await work.tx.run(days, { processingId })) {
    const { collect_at: at } = collectingFrom(zone, date)
    if (date !== null) await work.tx.change(move, { processingId, date, at })
  }
}

const set = prepared<{ id: string; date: string | null; at: string | null }, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ collect_on: param('date'), collect_at: param('at') })
    .where('id', '=', param('id')),
)

const days = prepared<{ processingId: string }, Pick<InvoiceRow, 'collect_on'>>((db, param) =>
  db
    .selectFrom('invoices')
    .select('collect_on')
    .distinct()
    .where('processing_id', '=', param('processingId'))
    .where('collect_on', 'is not', null),
)

const move = prepared<{ processingId: string; date: string; at: string | null }, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ collect_at: param('at') })
    .where('processing_id', '=', param('processingId'))
    .where('collect_on', '=', param('date')),
)
