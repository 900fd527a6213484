import { millisecondsOf } from '../../schema/datetime.js'

/** Local time in a zone. */
export interface LocalTime {
  /** Date, such as `2031-01-31`. */
  readonly date: string
  /** Time, such as `09:05:00`. */
  readonly time: string
  /** Zone, such as `EST`, `UTC` or `GMT+1`. */
  readonly zone: string
}

/** Local time of a datetime in a zone; undefined if the text is not a datetime. */
export function localTime(datetime: string, zone: string): LocalTime | undefined {
  const instant = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(datetime) ? millisecondsOf(datetime) : Number.NaN
  if (Number.isNaN(instant)) return undefined
  const parts = new Map(
    formatFor(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const [year, month, day, hour, minute, second] = PARTS.map((part) => parts.get(part) ?? '')
  return {
    date: `${year?.padStart(4, '0')}-${month}-${day}`,
    time: `${hour}:${minute}:${second}`,
    zone: parts.get('timeZoneName') ?? zone,
  }
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    timeZoneName: 'short',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, made)
  return made
}

/** Formats by time zone; a process usually uses one. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Time zone of the machine. It is computed only when a time is shown, because that takes a quarter of a
 * command's start time.
 */
export function machineZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
