import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import { addDays } from '../../platform/calendar/date.js'
import { localDate } from '../../platform/calendar/zone.js'
import { serviceTables } from '../../resources/service-tables.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { splitDays, WHOLE_DAY } from './day-sums.js'
import { countBetween, firstPosting, type JournalSum, readSums } from './live-sums.js'
import { bucketsOf, type Moments, momentsOfDays } from './report-period.js'
import { reportZones } from './report-scope.js'

/**
 * Milliseconds from the end of a day until its sums are stored. Units of work that began on that day have ended by
 * then.
 */
const MARGIN = 600_000
/** Number of days before the last stored one that are compared again. */
const COMPARED_DAYS = 31

/** Maximum number of postings and declined payments that a read adds up; few, so that payments are hardly delayed. */
const MAX_READ = 1_000

const COLUMNS = Object.keys(serviceTables.report_days.columns)

/**
 * Adds up the days that have ended, for reports, and stores their sums; returns the number of days. Ends early, between
 * two days, when `stopping` is aborted.
 */
export async function keepDaySums({ read, write }: WorkRunner, stopping: AbortSignal): Promise<number> {
  let kept = 0
  for (const zone of await read((work) => reportZones(work, undefined))) {
    for (const day of await read((work) => missingDays(work, zone))) {
      if (stopping.aborted) return kept
      const moments = momentsOfDays({ from: day, to: day }, zone)
      const sums = await sumsInParts(read, moments)
      await write((work) => keepDay(work, { zone, day }, added(sums)))
      kept++
    }
  }
  return kept
}

/** Adds up a day in short reads, each of a part of the day. Returns the sums of each part. */
async function sumsInParts(read: WorkRunner['read'], moments: Moments): Promise<readonly JournalSum[]> {
  const { start, end } = moments
  const middle = middleOf(moments)
  const sums = await read(async ({ tx: { db } }) => {
    const isLarge = middle !== undefined && (await countBetween(db, moments)) > MAX_READ
    return isLarge ? undefined : await readSums(db, moments, undefined)
  })
  if (sums || middle === undefined) return sums ?? []
  return [
    ...(await sumsInParts(read, { start, end: middle })),
    ...(await sumsInParts(read, { start: middle, end })),
  ]
}

/** The second in the middle; undefined between two successive seconds. */
function middleOf({ start, end }: Moments): string | undefined {
  const middle = datetimeOf((millisecondsOf(start) + millisecondsOf(end)) / 2)
  return middle === start ? undefined : middle
}

/** Adds up sums of the same kind, processing account and book accounts. */
function added(sums: readonly JournalSum[]): readonly JournalSum[] {
  const byName = new Map<string, JournalSum>()
  for (const sum of sums) {
    const name = nameOf(sum)
    const other = byName.get(name)
    const { number, amount } = other ?? { number: 0, amount: 0 }
    byName.set(name, { ...sum, number: number + sum.number, amount: amount + sum.amount })
  }
  return [...byName.values()]
}

function nameOf({ kind, processing_id, from_account, to_account }: JournalSum): string {
  return [kind, processing_id ?? '', from_account, to_account].join(' ')
}

/** Days that have ended and whose sums are not stored, or are not valid any more; oldest first. */
async function missingDays({ tx: { db }, milliseconds }: Work, zone: string): Promise<readonly string[]> {
  const to = addDays(localDate(zone, milliseconds - MARGIN), -1)
  const first = await firstPosting(db)
  if (first === undefined) return []
  const last = await db
    .selectFrom('report_days')
    .select('day')
    .where('zone', '=', zone)
    .where('kind', '=', WHOLE_DAY)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
  const from = last ? addDays(last.day, -COMPARED_DAYS) : addDays(first.slice(0, 10), -1)
  if (to < from) return []
  const { missing } = await splitDays(db, zone, { from, to })
  return missing.flatMap((days) => bucketsOf(days, 'day').map(({ from: day }) => day))
}

interface ZoneDay {
  readonly zone: string
  readonly day: string
}

async function keepDay({ tx }: Work, { zone, day }: ZoneDay, sums: readonly JournalSum[]): Promise<void> {
  await tx.db.deleteFrom('report_days').where('zone', '=', zone).where('day', '=', day).execute()
  const whole: JournalSum = {
    kind: WHOLE_DAY,
    processing_id: null,
    from_account: '',
    to_account: '',
    number: sums.reduce((sum, { number }) => sum + number, 0),
    amount: 0,
  }
  const rows = [whole, ...sums].map((sum) => ({ ...sum, id: [zone, day, nameOf(sum)].join(' '), zone, day }))
  // If another process stores the same day, the rows that were stored first stay. They are valid if they contain the
  // right number of postings.
  await insertRows(tx, 'report_days', COLUMNS, rows, { skipsExisting: true })
}
