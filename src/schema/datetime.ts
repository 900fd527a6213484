/** Milliseconds since 1970 as the interface's datetime: UTC, `YYYY-MM-DD HH:MM:SS`. */
export function datetimeOf(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1_000)
  if (second !== last.second) {
    const text = new Date(milliseconds).toISOString()
    last = { second, text: `${text.slice(0, 10)} ${text.slice(11, 19)}` }
  }
  return last.text
}
/** Most datetimes are of the second in which the one before was. */
let last = { second: Number.NaN, text: '' }

/** The interface's datetime as milliseconds since 1970. */
export function millisecondsOf(datetime: string): number {
  return Date.parse(`${datetime.replace(' ', 'T')}Z`)
}

/** The date of a datetime: `YYYY-MM-DD`. */
export function dateOf(datetime: string): string {
  return datetime.slice(0, 10)
}
