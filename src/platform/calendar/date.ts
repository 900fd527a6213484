/**
 * Dates without time and zone, written `YYYY-MM-DD`, for the years 0001 to 9999. They are compared as
 * strings, which sort by time.
 */

export const DAY_MILLISECONDS = 86_400_000
export const LAST_DATE = '9999-12-31'

export interface DateParts {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

export function partsOf(date: string): DateParts {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) }
}

/** Date of a day in a month; the month's last day if the month is shorter. */
export function dateIn(year: number, month: number, day: number): string {
  return [
    String(year).padStart(4, '0'),
    twoDigits(month),
    twoDigits(Math.min(day, monthLength(year, month))),
  ].join('-')
}

export function monthLength(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function addDays(date: string, days: number): string {
  return dateOfDay(dayOf(date) + days)
}

/** Same day a number of months later (earlier if negative); the month's last day if the month is shorter. */
export function addMonths(date: string, months: number): string {
  const { year, month, day } = partsOf(date)
  const count = year * 12 + month - 1 + months
  return dateIn(Math.floor(count / 12), (count % 12) + 1, day)
}

/** Number of days from `from` to `to`; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayOf(to) - dayOf(from)
}

function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MILLISECONDS
}

function dateOfDay(day: number): string {
  return new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10)
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
