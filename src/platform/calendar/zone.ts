import { LRUCache } from 'lru-cache'
import { addDays, DAY_MILLISECONDS } from './date.js'

/**
 * Formats by time zone. The cache is limited, because clients name zones. Making a format takes a hundred
 * times as long as using it.
 */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000, memoMethod: newFormat })

/** Whether a name is in the IANA time zone database, such as `America/New_York`, `US/Eastern` or `UTC`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formats.memo(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Local date in a time zone. `instant` is in milliseconds since 1970. */
export function localDate(zone: string, instant: number): string {
  return new Date(wallTime(zone, instant)).toISOString().slice(0, 10)
}

/**
 * Instant of a local time (`HH:MM` or `HH:MM:SS`) on a date in a time zone, in milliseconds since 1970. If
 * the time occurs twice, because clocks are put back, the first one is meant. If it is skipped, because
 * clocks are put forward, it moves on by the skipped span: 02:30 becomes 03:30.
 */
export function instantOf(zone: string, date: string, time = '00:00'): number {
  const wall = Date.parse(`${date}T${time}Z`)
  const before = offsetAt(zone, wall - DAY_MILLISECONDS)
  const after = offsetAt(zone, wall + DAY_MILLISECONDS)
  const shown = [before, after].filter((offset) => offsetAt(zone, wall - offset) === offset)
  return wall - (shown.length > 0 ? Math.max(...shown) : before)
}

/** Instant when a date ends in a time zone. Days have 23, 24 or 25 hours. */
export function endOfDay(zone: string, date: string): number {
  return instantOf(zone, addDays(date, 1))
}

/** Milliseconds by which local time is ahead of UTC. */
function offsetAt(zone: string, instant: number): number {
  return wallTime(zone, instant) - Math.floor(instant / 1000) * 1000
}

/** Local time as if it were UTC, in whole seconds. */
function wallTime(zone: string, instant: number): number {
  const parts = new Map(
    formats
      .memo(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const [year = '', month, day, hour, minute, second] = NAMES.map((name) => parts.get(name))
  return Date.parse(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

const NAMES = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

function newFormat(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
}
