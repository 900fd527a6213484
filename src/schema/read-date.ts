import { datetimeOf } from './datetime.js'
import { Problem } from './problem.js'

/** Date and time as written, and the offset of their zone from UTC. */
interface Written {
  readonly year: string
  readonly month: string
  readonly day: string
  /** Undefined if no time is written. */
  readonly time?: { readonly hour: number; readonly minute: string; readonly second: string }
  /** Offset in minutes. */
  readonly offset: number
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const TIME = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?`
/** Zone of a time. An unencoded plus in a query string arrives as a blank, so a blank is accepted. */
const ZONE = String.raw`(?:\s*(?:Z|UTC|GMT)?\s*(?<offset>[+ -]\d{2}(?::?\d{2})?)?)`

/**
 * Forms in which clients write days and times: ISO 8601, the API's own form, American and JavaScript
 * texts.
 */
const FORMS = [
  new RegExp(`^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:(?:T|\\s+)${TIME}${ZONE})?$`, 'i'),
  new RegExp(
    `^(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?:,?\\s+${TIME}(?:\\s*(?<half>AM|PM))?${ZONE})?$`,
    'i',
  ),
  // `Fri Feb 01 2019 00:00:00 GMT+0000 (Coordinated Universal Time)`, `Fri Feb 01 2019`
  new RegExp(
    `^[A-Z][a-z]{2},? (?<name>[A-Z][a-z]{2}) (?<day>\\d{1,2}) (?<year>\\d{4})(?: ${TIME}${ZONE}(?: \\([^()]{1,64}\\))?)?$`,
  ),
  // `Fri, 01 Feb 2019 00:00:00 GMT`
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{1,2}) (?<name>[A-Z][a-z]{2}) (?<year>\\d{4})(?: ${TIME}${ZONE})?$`),
]

/** Maximum length of these forms, with the name of a time zone at the end. */
const LONGEST = 120

/**
 * Reads a date or datetime as clients write it; a `Problem` if it is invalid. A date is the day as written;
 * time and zone are ignored. A datetime is converted to UTC; without a time it is the beginning of the day.
 * `isDay` determines the format that the problem names.
 */
export function readDate(
  kind: 'date' | 'datetime',
  input: unknown,
  isDay: boolean = kind === 'date',
): string | Problem {
  const written = typeof input === 'string' ? parse(input) : undefined
  const problem = new Problem(
    isDay ? 'Must be valid date, YYYY-MM-DD' : 'Must be valid datetime, YYYY-MM-DD HH:MM:SS',
  )
  if (!written) return problem
  const { year, month, day, time, offset } = written
  const wall = Date.UTC(+year, +month - 1, +day, time?.hour ?? 0, +(time?.minute ?? 0), +(time?.second ?? 0))
  if (Number.isNaN(wall) || datetimeOf(wall) !== textOf(written)) return problem
  if (kind === 'date') return `${year}-${month}-${day}`
  const moment = datetimeOf(wall - offset * 60_000)
  return /^\d{4}-/.test(moment) ? moment : problem
}

/** Whether a text is a date without a time. */
export function isBareDay(input: string): boolean {
  const written = parse(input)
  return written !== undefined && written.time === undefined
}

function parse(input: string): Written | undefined {
  if (input.length > LONGEST) return undefined
  const text = input.trim()
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups
    if (parts) return writtenOf(parts)
  }
  return undefined
}

function writtenOf(parts: Readonly<Record<string, string | undefined>>): Written | undefined {
  const { year = '', day = '', name, hour, minute = '', second = '00', half, offset } = parts
  const month = name === undefined ? (parts['month'] ?? '') : String(MONTHS.indexOf(name.toLowerCase()) + 1)
  const whole = { year, month: month.padStart(2, '0'), day: day.padStart(2, '0') }
  if (hour === undefined) return { ...whole, offset: 0 }
  const counted = half === undefined ? Number(hour) : hourOf(Number(hour), half)
  const minutes = offset === undefined ? 0 : minutesOf(offset)
  if (counted === undefined || minutes === undefined) return undefined
  return { ...whole, time: { hour: counted, minute, second }, offset: minutes }
}

/** Hour of a 12-hour clock as one of 24 hours: 12 AM is midnight. Undefined if it is invalid. */
function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
}

function minutesOf(offset: string): number | undefined {
  const [, sign, hours = '', minutes = '0'] = /^([+ -])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
}

function textOf({ year, month, day, time }: Written): string {
  const hour = time?.hour ?? 0
  const minute = time?.minute ?? '00'
  const second = time?.second ?? '00'
  return `${year}-${month}-${day} ${String(hour).padStart(2, '0')}:${minute}:${second}`
}
