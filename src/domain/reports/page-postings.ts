import { sql } from 'kysely'
import { using } from '../../engine/store/database/raw-use.js'
import { localDate } from '../../platform/calendar/zone.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { JOURNAL, type JournalPosting, readPostings } from './read-postings.js'
import { bucketsOf, type Moments, momentsOfDays } from './report-period.js'
import type { ReportRequest } from './report-source.js'

/** Some postings of a day, in order of time. */
interface PostingPage {
  readonly date: string
  readonly postings: readonly JournalPosting[]
  /** The moment at which the next page begins; undefined after the last one. */
  readonly next: string | undefined
}

/** Postings that are read for each row of a page: a row of a statement is made of two or three. */
const POSTINGS_OF_ROW = 2

/** The postings of a period from its start on, in pages of whole seconds: a day may have more than fit into memory. */
export async function* pagesOfDays(
  request: ReportRequest,
  account?: string,
): AsyncGenerator<PostingPage, void> {
  const { db, period, accounts, start: from, limit } = request
  const { from: firstDay, to, zone } = period
  const first = from ? localDate(zone, millisecondsOf(from.moment)) : firstDay
  const { end: last } = momentsOfDays(period, zone)
  for (const day of bucketsOf({ from: first, to }, 'day')) {
    const { start: midnight, end } = momentsOfDays(day, zone)
    for (let start = from && from.moment > midnight ? from.moment : midnight; start < end; ) {
      const next = await endOfPage(request.db, { start, end }, limit * POSTINGS_OF_ROW)
      const filter = account === undefined ? { accounts } : { accounts, account }
      const postings = await readPostings(db, { start, end: next }, filter)
      yield { date: day.from, postings, next: next < last ? next : undefined }
      start = next
    }
  }
}

/**
 * Moment at which a page ends; a page consists of whole seconds. Until then, each table of the journal has at most
 * `size` postings since the start, unless the first second alone has more.
 */
async function endOfPage(db: ReportRequest['db'], { start, end }: Moments, size: number): Promise<string> {
  const inside = sql`created_at >= ${start} and created_at < ${end}`
  const bounds = JOURNAL.map(
    (table) =>
      sql`select * from (select created_at from ${sql.table(table)} where ${inside}
        order by created_at limit 1 offset ${sql.lit(size)}) as ${sql.ref(`b_${table}`)}`,
  )
  const { rows } = await using(
    { reads: JOURNAL },
    sql<{ bound: string | null }>`select min(created_at) as bound
      from (${sql.join(bounds, sql` union all `)}) as bounds`,
  ).execute(db)
  const bound = rows[0]?.bound ?? end
  return bound > start ? bound : datetimeOf(millisecondsOf(start) + 1_000)
}
