import { csvText } from '../../../platform/csv-text.js'
import type { Field } from '../../../schema/field.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { safeHeader } from '../../../schema/safe-csv.js'
import { UsageError } from '../failure/failure.js'
import { type DateOrder, orderedDate } from '../input/date-order.js'
import { type AnswerSchema, bracketed, type Path } from '../input/shape.js'
import { moneyText } from './cell.js'
import { columnValue, type ShownList, shownLists } from './table-columns.js'

/** Style of CSV. */
export interface CsvStyle {
  /** The character between cells; a comma by default. */
  readonly delimiter?: string | undefined
  /** Whether cells are written with `safeCell`, so that spreadsheets run no text as a formula. */
  readonly isSafe?: boolean | undefined
  /** Whether the text begins with the byte order mark, by which spreadsheets recognize UTF-8. */
  readonly hasMark?: boolean
  /** Order of day and month in dates; ISO by default. */
  readonly dates?: DateOrder | undefined
}

const MARK = '\ufeff'

/** The header: the names of the columns, with a mark if the cells below are written with `safeCell`. */
export function csvHead(columns: readonly Path[], style: CsvStyle = {}): string {
  const names = columns.map(bracketed)
  const head = csvText([style.isSafe ? safeHeader(names) : names], { ...style, isSafe: false })
  return style.hasMark ? MARK + head : head
}

/**
 * Objects as lines: money with its decimals, lists as JSON, null as an empty cell. Texts are as stored,
 * including control characters. Throws a `UsageError` if a list has more items than columns show.
 */
export function csvRows(
  rows: readonly JsonObject[],
  columns: readonly Path[],
  shape: AnswerSchema,
  style: CsvStyle = {},
): string {
  const lists = shownLists(columns)
  for (const row of rows) for (const list of lists) refuseLonger(row, list)
  const cells = columns.map((path) => ({ path, kind: shape.field(path)?.kind }))
  return csvText(
    rows.map((row) => cells.map(({ path, kind }) => cellText(columnValue(row, path), kind, style))),
    style,
  )
}

/** Refuses an object whose list would be cut, because nobody would notice the missing items. */
function refuseLonger(row: JsonObject, { path, length }: ShownList): void {
  const list = columnValue(row, path)
  if (!Array.isArray(list) || list.length <= length) return
  const name = bracketed(path)
  throw new UsageError(
    `${typeof row.id === 'string' ? row.id : 'An object'} has ${list.length} ${name}, and --columns shows ${length}: add ${name}[${list.length - 1}]`,
  )
}

function cellText(value: Json, kind: Field['kind'] | undefined, { dates }: CsvStyle): string {
  if (value === null) return ''
  if (kind === 'money') return moneyText(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  return dates && (kind === 'date' || kind === 'datetime') ? orderedDate(value, dates) : value
}
