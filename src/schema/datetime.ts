/** Milliseconds since 1970 as the interface's datetime: UTC, `YYYY-MM-DD HH:MM:SS`. */
export function datetimeOf(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000)
  const known = texts.get(second)
  if (known !== undefined) return known
  const iso = new Date(milliseconds).toISOString()
  const text = `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
  if (texts.size >= MAX_TEXTS) texts.clear()
  texts.set(second, text)
  return text
}
/** Most datetimes are of a second that was written before: the present one, or that in which the business day ends. */
const texts = new Map<number, string>()
const MAX_TEXTS = 100

/** The interface's datetime as milliseconds since 1970. */
export function millisecondsOf(datetime: string): number {
  return Date.parse(`${datetime.replace(' ', 'T')}Z`)
}

/** The date of a datetime: `YYYY-MM-DD`. */
export function dateOf(datetime: string): string {
  return datetime.slice(0, 10)
}

/** Whether a value is a datetime of the interface: `YYYY-MM-DD HH:MM:SS`. */
export function isDatetime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
}
