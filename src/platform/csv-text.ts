import { stringify } from 'csv-stringify/sync'
import { safeCell } from '../schema/safe-csv.js'

/**
 * Matches cells that some readers change unless they are quoted: blanks at the ends, and single carriage
 * returns.
 */
const LOST_UNLESS_QUOTED = /^\s|\s$|\r/

type Cell = string | number | null

interface CsvTextStyle {
  /** Character between cells; a comma by default. */
  readonly delimiter?: string | undefined
  /** Whether cells are written with `safeCell`, so that spreadsheets do not evaluate texts as formulas. */
  readonly isSafe?: boolean | undefined
}

/** Cells as lines of RFC 4180, each ending with a line feed. */
export function csvText(
  rows: readonly (readonly Cell[])[],
  { delimiter = ',', isSafe }: CsvTextStyle = {},
): string {
  const safe = (cell: Cell) => (typeof cell === 'string' ? safeCell(cell) : cell)
  const cells = isSafe ? rows.map((row) => row.map(safe)) : [...rows]
  return stringify(cells, { delimiter, quoted_match: LOST_UNLESS_QUOTED })
}
