import { invalidAttributes } from '../../engine/core/request/api-error.js'
import { addDays, addMonths, dateIn, daysBetween, partsOf } from '../../platform/calendar/date.js'
import { instantOf, localDate } from '../../platform/calendar/zone.js'
import { datetimeOf } from '../../schema/datetime.js'

/** Days from one to another (`YYYY-MM-DD`), both included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The days of a report, in a time zone. */
export interface ReportPeriod extends DayRange {
  readonly zone: string
}

/** Number of days of the longest period: ten years. */
const MAX_DAYS = 3_660

/** The period of a report: as it was requested, or the last whole month. Throws `InvalidAttributes`. */
export function periodOf(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  zone: string,
  now: number,
): ReportPeriod {
  if (from === null && to === null) return { ...lastMonth(localDate(zone, now)), zone }
  if (from === null) throw invalidAttributes({ from: 'Required beside to' })
  if (to === null) throw invalidAttributes({ to: 'Required beside from' })
  if (to < from) throw invalidAttributes({ to: `Must be ${from} or later, as the period begins then` })
  if (daysBetween(from, to) >= MAX_DAYS)
    throw invalidAttributes({ to: `Must be at most ${MAX_DAYS} days after from` })
  return { from, to, zone }
}

function lastMonth(today: string): DayRange {
  const { year, month } = partsOf(today)
  const from = addMonths(dateIn(year, month, 1), -1)
  return { from, to: addDays(addMonths(from, 1), -1) }
}

/** Beginning and end of a period, as datetimes of the API; the end is not included. */
export interface Moments {
  readonly start: string
  readonly end: string
}

/** The moments at which days begin and end in a time zone. */
export function momentsOfDays({ from, to }: DayRange, zone: string): Moments {
  return { start: startOf(from, zone), end: startOf(addDays(to, 1), zone) }
}

function startOf(day: string, zone: string): string {
  return datetimeOf(instantOf(zone, day))
}

export type BucketLength = 'day' | 'week' | 'month'

/** The days, weeks (from Monday) or months of a period, in order; the first and the last one may be cut. */
export function bucketsOf({ from, to }: DayRange, length: BucketLength): readonly DayRange[] {
  const buckets: DayRange[] = []
  for (let start = from; start <= to; ) {
    const end = lastDayOf(start, length)
    buckets.push({ from: start, to: end < to ? end : to })
    start = addDays(end, 1)
  }
  return buckets
}

const SOME_MONDAY = '2001-01-01'

function lastDayOf(day: string, length: BucketLength): string {
  switch (length) {
    case 'day':
      return day
    case 'week':
      return addDays(day, 6 - (((daysBetween(SOME_MONDAY, day) % 7) + 7) % 7))
    case 'month': {
      const { year, month } = partsOf(day)
      return dateIn(year, month, 31)
    }
  }
}

/** Number of days that are read together. */
const SLICE_DAYS = 7

/** The period in slices of `SLICE_DAYS` days. */
export function slicesOf({ from, to }: DayRange): readonly DayRange[] {
  const slices: DayRange[] = []
  for (let start = from; start <= to; start = addDays(start, SLICE_DAYS)) {
    const end = addDays(start, SLICE_DAYS - 1)
    slices.push({ from: start, to: end < to ? end : to })
  }
  return slices
}

/** Finds the day of a datetime within a period, without a calculation by the calendar for each datetime. */
export function dayFinder(period: ReportPeriod): (datetime: string) => string {
  const days = bucketsOf(period, 'day').map(({ from: day }) => ({
    day,
    end: startOf(addDays(day, 1), period.zone),
  }))
  return (datetime) => {
    let [low, high] = [0, days.length - 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (datetime < (days[middle]?.end ?? '')) high = middle
      else low = middle + 1
    }
    return days[low]?.day ?? period.to
  }
}
