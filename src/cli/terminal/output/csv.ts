import { stringify } from 'csv-stringify/sync'
import type { Json, JsonObject } from '../../../schema/json.js'
import { valueAt } from '../input/body.js'
import { bracketed, type Path, type Shape } from '../input/shape.js'
import { moneyText } from './cell.js'

/** Some readers lose blanks at the ends of a cell and single carriage returns unless they are quoted. */
const LOST_UNLESS_QUOTED = /^\s|\s$|\r/

/** Cells as lines of RFC 4180, each ending in a line feed. */
export function csvText(rows: readonly (readonly (string | number | null)[])[], delimiter = ','): string {
  return stringify([...rows], { delimiter, quoted_match: LOST_UNLESS_QUOTED })
}

/** The names of the columns, which never change within one output. */
export function csvHead(columns: readonly Path[]): string {
  return csvText([columns.map(bracketed)])
}

/**
 * Objects as lines: money with its decimals, lists as JSON, nothing as nothing. Texts are as they are stored: control
 * characters, too.
 */
export function csvRows(rows: readonly JsonObject[], columns: readonly Path[], shape: Shape): string {
  return csvText(rows.map((row) => columns.map((path) => cellText(valueAt(row, path) ?? null, shape, path))))
}

function cellText(value: Json, shape: Shape, path: Path): string {
  if (value === null) return ''
  if (shape.field(path)?.kind === 'money') return moneyText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
