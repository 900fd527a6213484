import { readDate } from '../../../schema/read-date.js'
import { UsageError } from '../failure/failure.js'

/** Orders of day and month in dates such as `02/03/2030`. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const

export type DateOrder = (typeof DATE_ORDERS)[number]

/** A day and a month of one or two digits before a year, perhaps with a time behind it. */
const WRITTEN = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/s
/** A year before a month and a day, as some spreadsheets write it. */
const YEAR_FIRST = /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/s

/**
 * The only order of day and month with which a date can be read; `either` if both are possible. Undefined
 * if the text is no such date, or if both orders mean the same day.
 */
export function orderIn(text: string): DateOrder | 'either' | undefined {
  const [, first = '', , second = ''] = WRITTEN.exec(text) ?? []
  const isOnce = first !== '' && Number(first) !== Number(second)
  if (!isOnce || (Number(first) > 12 && Number(second) > 12)) return undefined
  if (Number(first) > 12) return 'dmy'
  return Number(second) > 12 ? 'mdy' : 'either'
}

/**
 * Converts a date or datetime with this order of day and month to ISO form. Other texts are returned
 * unchanged, for the core to validate. Throws a `UsageError` for a day that does not exist.
 */
export function readOrderedDate(text: string, kind: 'date' | 'datetime', order: DateOrder): string {
  const [, year, , month = '', day = '', rest = ''] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}${rest}`
  const [, first, , second, last, time = ''] = WRITTEN.exec(text) ?? []
  if (first === undefined) return text
  const read = readDate(
    kind,
    `${order === 'dmy' ? `${second}/${first}` : `${first}/${second}`}/${last}${time}`,
  )
  if (typeof read === 'string') return read
  const other = order === 'dmy' ? 'mdy' : 'dmy'
  const hint = orderIn(text) === other ? `; --dates ${other} reads it` : ''
  throw new UsageError(`Expected a date such as ${EXAMPLE[order]}, but received: ${text}${hint}`)
}

const EXAMPLE = { dmy: '31/01/2030', mdy: '01/31/2030' } as const satisfies Record<DateOrder, string>

/** Both readings of a doubtful date: `2030-03-02 with --dates dmy and 2030-02-03 with --dates mdy`. */
export function bothReadings(text: string): string {
  const [dmy, mdy] = readingsOf(text)
  return `${dmy} with --dates dmy and ${mdy} with --dates mdy`
}

function readingsOf(text: string): readonly [dmy: string, mdy: string] {
  const [, first = '', , second = '', year] = WRITTEN.exec(text) ?? []
  const [one, other] = [first.padStart(2, '0'), second.padStart(2, '0')]
  return [`${year}-${other}-${one}`, `${year}-${one}-${other}`]
}

/**
 * Returns a typed date unchanged. Throws a `UsageError` for a date with its year at the end: a single date
 * does not show the order of day and month. The error names both readings.
 */
export function typedDate(text: string): string {
  const order = orderIn(text.trim())
  if (order === undefined && !WRITTEN.test(text.trim())) return text
  const readings = order === 'either' ? `; it may be ${readingsOf(text.trim()).join(' or ')}` : ''
  throw new UsageError(`Expected a date such as 2030-01-31, but received: ${text}${readings}`)
}

/** An ISO date or datetime in an order: `31/01/2030 14:05:00`. */
export function orderedDate(iso: string, order: DateOrder): string {
  return iso.replace(/^(\d{4})-(\d\d)-(\d\d)/, order === 'dmy' ? '$3/$2/$1' : '$2/$3/$1')
}
