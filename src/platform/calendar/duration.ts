import { dateOf, datetimeOf } from '../../schema/datetime.js'
import { addMonths, DAY_MILLISECONDS, LAST_DATE } from './date.js'

/** Length of time in calendar months, days of 24 hours, and milliseconds. */
export interface Duration {
  readonly months: number
  readonly days: number
  readonly milliseconds: number
}

const HOUR = 3_600_000
/** Instant after the last date. */
const END = dayStart(LAST_DATE) + DAY_MILLISECONDS

const UNITS: Readonly<Record<string, Duration>> = {
  y: { months: 12, days: 0, milliseconds: 0 },
  mo: { months: 1, days: 0, milliseconds: 0 },
  w: { months: 0, days: 7, milliseconds: 0 },
  d: { months: 0, days: 1, milliseconds: 0 },
  h: { months: 0, days: 0, milliseconds: HOUR },
  min: { months: 0, days: 0, milliseconds: 60_000 },
  s: { months: 0, days: 0, milliseconds: 1000 },
}

/**
 * Duration of a text such as `1y`, `1mo`, `2w`, `1d`, `12h`, `30min`, `5s`, or several: `1mo 2d`. Undefined
 * for any other text.
 */
export function parseDuration(text: string): Duration | undefined {
  const words = text.trim().replace(/(?<=[a-z])\s*(?=\d)/g, ' ')
  if (!/^\d{1,6}(y|mo|w|d|h|min|s)( \d{1,6}(y|mo|w|d|h|min|s))*$/.test(words)) return undefined
  return words.split(' ').reduce((sum, word) => plus(sum, word), { months: 0, days: 0, milliseconds: 0 })
}

function plus(sum: Duration, word: string): Duration {
  const count = Number.parseInt(word, 10)
  const unit = UNITS[word.replace(/^\d+/, '')] ?? sum
  return {
    months: sum.months + count * unit.months,
    days: sum.days + count * unit.days,
    milliseconds: sum.milliseconds + count * unit.milliseconds,
  }
}

/**
 * Adds a duration to an instant, in UTC. Months are added first (up to the month's last day if it is
 * shorter), then days, then milliseconds. Instants are in milliseconds since 1970. Undefined after the last
 * date.
 */
export function addDuration(instant: number, { months, days, milliseconds }: Duration): number | undefined {
  const date = dateOf(datetimeOf(instant))
  const moved = addMonths(date, months)
  if (moved.length > LAST_DATE.length) return undefined
  const sum = dayStart(moved) + days * DAY_MILLISECONDS + (instant - dayStart(date)) + milliseconds
  return sum < END ? sum : undefined
}

function dayStart(date: string): number {
  return Date.parse(`${date}T00:00:00Z`)
}
