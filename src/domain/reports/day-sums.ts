import type { Work } from '../../engine/core/write/work.js'
import { addDays, daysBetween } from '../../platform/calendar/date.js'
import { countBetween, type JournalSum, readSums } from './live-sums.js'
import { type DayRange, momentsOfDays } from './report-period.js'
import type { ReportAccounts } from './report-scope.js'

type Db = Work['tx']['db']

/** Kind of the row with the number of postings and declined payments that a day had when its sums were stored. */
export const WHOLE_DAY = 'day'

/** Time zone and accounts of sums. */
export interface SumScope {
  readonly zone: string
  readonly accounts: ReportAccounts
}

/**
 * Sums of the journal for each of several successive periods. The stored sums of a day are used while the day has the
 * same number of postings and declined payments, as neither are ever deleted.
 */
export async function sumsOf(
  db: Db,
  { zone, accounts }: SumScope,
  periods: readonly DayRange[],
): Promise<readonly (readonly JournalSum[])[]> {
  const [first] = periods
  const last = periods.at(-1)
  if (!first || !last || accounts?.length === 0) return periods.map(() => [])
  const { known, missing } = await splitDays(db, zone, { from: first.from, to: last.to })
  const sums: JournalSum[][] = periods.map(() => [])
  for (const days of known) {
    for (const { day, ...sum } of await readKnown(db, { zone, accounts }, days, periods.length > 1)) {
      const index = periods.findIndex(({ from, to }) => from <= day && day <= to)
      sums[index]?.push(sum)
    }
  }
  for (const days of missing) {
    for (const [index, period] of periods.entries()) {
      const common = commonDays(period, days)
      if (common) sums[index]?.push(...(await readSums(db, momentsOfDays(common, zone), accounts)))
    }
  }
  return sums
}

/** Stored sums of some days: of each day if `isDaily`, otherwise of all days together, dated on the first. */
async function readKnown(
  db: Db,
  { zone, accounts }: SumScope,
  { from, to }: DayRange,
  isDaily: boolean,
): Promise<readonly (JournalSum & { readonly day: string })[]> {
  const rows = db
    .selectFrom('report_days')
    .where('zone', '=', zone)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('kind', '!=', WHOLE_DAY)
    .$if(accounts !== undefined, (query) => query.where('processing_id', 'in', [...(accounts ?? [])]))
  if (isDaily)
    return await rows
      .select(['day', 'kind', 'processing_id', 'from_account', 'to_account', 'number', 'amount'])
      .execute()
  const sums = await rows
    .select(['kind', 'processing_id', 'from_account', 'to_account'])
    .select(({ fn }) => [fn.sum<number>('number').as('number'), fn.sum<number>('amount').as('amount')])
    .groupBy(['kind', 'processing_id', 'from_account', 'to_account'])
    .execute()
  return sums.map((sum) => ({ ...sum, day: from }))
}

interface SplitDays {
  /** Ranges of days whose stored sums are still valid. */
  readonly known: readonly DayRange[]
  readonly missing: readonly DayRange[]
}

/** Divides days into those whose stored sums are still valid, and all others. */
export async function splitDays(db: Db, zone: string, days: DayRange): Promise<SplitDays> {
  const heads = await db
    .selectFrom('report_days')
    .select(['day', 'number'])
    .where('zone', '=', zone)
    .where('kind', '=', WHOLE_DAY)
    .where('day', '>=', days.from)
    .where('day', '<=', days.to)
    .orderBy('day')
    .execute()
  const known: DayRange[] = []
  for (const run of runsOf(heads)) known.push(...(await holding(db, zone, run)))
  return { known, missing: gapsBetween(known, days) }
}

interface Head {
  readonly day: string
  readonly number: number
}

/** Divides days into runs without a gap. */
function runsOf(heads: readonly Head[]): readonly (readonly Head[])[] {
  const runs: Head[][] = []
  let last: Head[] = []
  for (const head of heads) {
    const before = last.at(-1)
    if (before && addDays(before.day, 1) === head.day) last.push(head)
    else {
      last = [head]
      runs.push(last)
    }
  }
  return runs
}

/**
 * The days of a run whose stored sums are still valid. If the count of postings in a run differs from the stored one,
 * its halves are compared, down to single days.
 */
async function holding(db: Db, zone: string, run: readonly Head[]): Promise<readonly DayRange[]> {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return []
  const days = { from: first.day, to: last.day }
  const kept = run.reduce((sum, { number }) => sum + number, 0)
  if ((await countBetween(db, momentsOfDays(days, zone))) === kept) return [days]
  if (run.length === 1) return []
  const middle = Math.floor(run.length / 2)
  return [...(await holding(db, zone, run.slice(0, middle))), ...(await holding(db, zone, run.slice(middle)))]
}

function gapsBetween(known: readonly DayRange[], { from, to }: DayRange): readonly DayRange[] {
  const gaps: DayRange[] = []
  let start = from
  for (const days of known) {
    if (start < days.from) gaps.push({ from: start, to: addDays(days.from, -1) })
    start = addDays(days.to, 1)
  }
  return daysBetween(start, to) < 0 ? gaps : [...gaps, { from: start, to }]
}

function commonDays(a: DayRange, b: DayRange): DayRange | undefined {
  const from = a.from < b.from ? b.from : a.from
  const to = a.to < b.to ? a.to : b.to
  return from <= to ? { from, to } : undefined
}
