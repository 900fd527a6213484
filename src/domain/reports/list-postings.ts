import { addDays } from '../../platform/calendar/date.js'
import { readPostings } from './read-postings.js'
import type { ReportRow } from './report-cursor.js'
import { bucketsOf, momentsOfDays } from './report-period.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

/** The postings of the period, oldest first. */
export async function listPostings({
  db,
  report,
  period,
  accounts,
  start,
  limit,
}: ReportRequest): Promise<ReportContent> {
  const rows: ReportRow[] = []
  for (const day of bucketsOf({ from: start?.day ?? period.from, to: period.to }, 'day')) {
    const postings = await readPostings(db, momentsOfDays(day, period.zone), { accounts })
    for (const {
      id,
      kind,
      object_id,
      processing_id,
      currency,
      from_account,
      to_account,
      amount,
      created_at,
    } of postings)
      rows.push({
        booked_at: created_at,
        date: day.from,
        processing_id,
        kind,
        object_id,
        from_account,
        to_account,
        amount,
        currency,
        posting_id: id,
      })
    if (rows.length < limit || day.to === period.to) continue
    const totals = totalsOfRows(report, rows, start?.totals)
    return { rows, totals, next: { day: addDays(day.to, 1), totals } }
  }
  return { rows, totals: totalsOfRows(report, rows, start?.totals) }
}
