/** Datetime of the API for milliseconds since 1970: UTC, `YYYY-MM-DD HH:MM:SS`. */
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
/** Cached texts, by second. Most datetimes repeat: the present second, or the end of the business day. */
const texts = new Map<number, string>()
const MAX_TEXTS = 100

/** Milliseconds since 1970 of a datetime. */
export function millisecondsOf(datetime: string): number {
  return Date.parse(`${datetime.replace(' ', 'T')}Z`)
}

/** Date of a datetime: `YYYY-MM-DD`. */
export function dateOf(datetime: string): string {
  return datetime.slice(0, 10)
}

/** Whether a value is a datetime of the API: `YYYY-MM-DD HH:MM:SS`. */
export function isDatetime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
}
