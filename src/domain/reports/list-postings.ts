import { pagesOfDays } from './page-postings.js'
import type { ReportRow } from './report-cursor.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

/** The postings of the period, oldest first. */
export async function listPostings(request: ReportRequest): Promise<ReportContent> {
  const { report, start, limit } = request
  const rows: ReportRow[] = []
  for await (const { date, postings, next } of pagesOfDays(request)) {
    for (const { id, kind, object_id, processing_id, currency, ...posting } of postings) {
      const { from_account, to_account, amount, created_at: booked_at } = posting
      const accounts = { from_account, to_account }
      rows.push({
        booked_at,
        date,
        processing_id,
        kind,
        object_id,
        ...accounts,
        amount,
        currency,
        posting_id: id,
      })
    }
    if (rows.length < limit || next === undefined) continue
    const totals = totalsOfRows(report, rows, start?.totals)
    return { rows, totals, next: { moment: next, totals } }
  }
  return { rows, totals: totalsOfRows(report, rows, start?.totals) }
}
