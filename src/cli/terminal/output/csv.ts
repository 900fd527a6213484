import { stringify } from 'csv-stringify/sync'
import type { Json, JsonObject } from '../../../schema/json.js'
import { type AnswerSchema, bracketed, type Path } from '../input/shape.js'
import { moneyText } from './cell.js'
import { safeCell, safeHeader } from './safe-csv.js'
import { columnValue } from './table-columns.js'

/** Cells that some readers change unless quoted: blanks at the ends, and single carriage returns. */
const LOST_UNLESS_QUOTED = /^\s|\s$|\r/

/** Style of CSV. */
export interface CsvStyle {
  /** The character between cells; a comma by default. */
  readonly delimiter?: string
  /** Whether cells are written with `safeCell`, so that spreadsheets take no text as a formula. */
  readonly isSafe?: boolean | undefined
}

type Cell = string | number | null

/** Cells as lines of RFC 4180, each ending in a line feed. */
export function csvText(
  rows: readonly (readonly Cell[])[],
  { delimiter = ',', isSafe }: CsvStyle = {},
): string {
  const safe = (cell: Cell) => (typeof cell === 'string' ? safeCell(cell) : cell)
  const cells = isSafe ? rows.map((row) => row.map(safe)) : [...rows]
  return stringify(cells, { delimiter, quoted_match: LOST_UNLESS_QUOTED })
}

/** The header: the names of the columns, which says whether the cells below are safe. */
export function csvHead(columns: readonly Path[], style: CsvStyle = {}): string {
  const names = columns.map(bracketed)
  return csvText([style.isSafe ? safeHeader(names) : names], { ...style, isSafe: false })
}

/**
 * Objects as lines: money with its decimals, lists as JSON, null as an empty cell. Texts are as stored, including
 * control characters.
 */
export function csvRows(
  rows: readonly JsonObject[],
  columns: readonly Path[],
  shape: AnswerSchema,
  style: CsvStyle = {},
): string {
  return csvText(
    rows.map((row) => columns.map((path) => cellText(columnValue(row, path), shape, path))),
    style,
  )
}

function cellText(value: Json, shape: AnswerSchema, path: Path): string {
  if (value === null) return ''
  if (shape.field(path)?.kind === 'money') return moneyText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
