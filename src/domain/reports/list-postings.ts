import { readPostings } from './read-postings.js'
import { dayFinder, momentsOfDays, slicesOf } from './report-period.js'
import { type ReportContent, type ReportRequest, type ReportRow, totalsOfRows } from './report-source.js'

/** The postings of the period, oldest first. */
export async function listPostings({ db, report, period, accounts }: ReportRequest): Promise<ReportContent> {
  const dayOf = dayFinder(period)
  const rows: ReportRow[] = []
  for (const slice of slicesOf(period)) {
    for (const posting of await readPostings(db, momentsOfDays(slice, period.zone), { accounts }))
      rows.push({
        booked_at: posting.created_at,
        date: dayOf(posting.created_at),
        processing_id: posting.processing_id,
        kind: posting.kind,
        object_id: posting.object_id,
        from_account: posting.from_account,
        to_account: posting.to_account,
        amount: posting.amount,
        currency: posting.currency,
        posting_id: posting.id,
      })
  }
  return { rows, totals: totalsOfRows(report, rows) }
}
