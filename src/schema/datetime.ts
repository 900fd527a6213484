/** Milliseconds since 1970 as the interface's datetime: UTC, `YYYY-MM-DD HH:MM:SS`. */
export function datetimeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')
}

/** The interface's datetime as milliseconds since 1970. */
export function millisecondsOf(datetime: string): number {
  return Date.parse(`${datetime.replace(' ', 'T')}Z`)
}

/** The date of a datetime: `YYYY-MM-DD`. */
export function dateOf(datetime: string): string {
  return datetime.slice(0, 10)
}
