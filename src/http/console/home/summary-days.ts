import { addDays } from '../../../platform/calendar/date.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { millisecondsOf } from '../../../schema/datetime.js'

/** Days that the home page looks back on. */
export const SUMMARY_DAYS = 30

/** The first and the last of these days, on the calendar of a time zone. */
export function daysOf(now: string, zone: string): { readonly from: string; readonly to: string } {
  const to = localDate(zone, millisecondsOf(now))
  return { from: addDays(to, 1 - SUMMARY_DAYS), to }
}

/** All days of a period. */
export function datesFrom(from: string, to: string): readonly string[] {
  const dates: string[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}
