import { LRUCache } from 'lru-cache'
import { addDays, dateIn, partsOf } from './date.js'
import { endOfDay, instantOf, localDate } from './zone.js'

/** End of an organization's business days. See docs/money.md, "Cut-off and deposits". */
export interface CutOff {
  /** IANA name. */
  readonly timeZone: string
  /** `HH:MM`, local time. */
  readonly time: string
}

export const DEFAULT_CUT_OFF: CutOff = { timeZone: 'America/New_York', time: '19:00' }

/** Business day. The instant at its end belongs to the next day. */
export interface BusinessDay {
  readonly date: string
  /** In milliseconds since 1970. */
  readonly endsAt: number
}

/** Last business day that has ended at an instant. */
export function lastCutOff(cutOff: CutOff, instant: number): BusinessDay {
  let day = businessDay(cutOff, localDate(cutOff.timeZone, instant))
  while (day.endsAt > instant) day = businessDay(cutOff, addDays(day.date, -1))
  return day
}

/** Business day of an instant, with its end. */
export function nextCutOff(cutOff: CutOff, instant: number): BusinessDay {
  let day = businessDay(cutOff, addDays(lastCutOff(cutOff, instant).date, 1))
  while (day.endsAt <= instant) day = businessDay(cutOff, addDays(day.date, 1))
  return day
}

export function businessDay({ timeZone, time }: CutOff, date: string): BusinessDay {
  return { date, endsAt: instantOf(timeZone, date, time) }
}

/** Business day that contains an instant. It is cached, because every payment needs it. */
export function businessDayAt(cutOff: CutOff, instant: number): BusinessDay {
  const key = `${cutOff.time} ${cutOff.timeZone}`
  const known = lastResult.get(key)
  if (known && known.startsAt <= instant && instant < known.day.endsAt) return known.day
  const day = nextCutOff(cutOff, instant)
  lastResult.set(key, { startsAt: lastCutOff(cutOff, instant).endsAt, day })
  return day
}
const lastResult = new LRUCache<string, { readonly startsAt: number; readonly day: BusinessDay }>({
  max: 1_000,
})

/** Local date of an organization. It is cached, because every payment needs it. */
export function wallDateAt({ timeZone }: CutOff, instant: number): string {
  const known = lastDate.get(timeZone)
  if (known && known.from <= instant && instant < known.until) return known.date
  const date = localDate(timeZone, instant)
  lastDate.set(timeZone, { date, from: instantOf(timeZone, date), until: endOfDay(timeZone, date) })
  return date
}
const lastDate = new LRUCache<
  string,
  { readonly date: string; readonly from: number; readonly until: number }
>({ max: 1_000 })

/** Last business day of the month that an instant belongs to. */
export function monthEndAt(cutOff: CutOff, instant: number): BusinessDay {
  const { year, month } = partsOf(businessDayAt(cutOff, instant).date)
  return businessDay(cutOff, dateIn(year, month, 31))
}
