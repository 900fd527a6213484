import Table from 'cli-table3'

/** Blanks between two columns. */
export const GAP = '  '

/** Style of a column. */
export interface ColumnStyle {
  readonly width: number
  readonly align: 'left' | 'right'
}

/** Maximum number of rows in one table of the library, which compares every cell with all cells above. */
const BATCH_SIZE = 20

/** Borders of the library's tables: none, as columns are separated by blanks. */
const CHARS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
}

/** Draws rows of cells, which may have colours, as lines. A cell that is wider than its column is cut. */
export function drawRows(rows: readonly (readonly string[])[], columns: readonly ColumnStyle[]): string[] {
  const lines: string[] = []
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const table = new Table({
      chars: CHARS,
      style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
      colWidths: columns.map(({ width }) => width),
      colAligns: columns.map(({ align }) => align),
    })
    table.push(...rows.slice(start, start + BATCH_SIZE).map((row) => [...row]))
    lines.push(
      ...table
        .toString()
        .split('\n')
        .map((line) => line.trimEnd()),
    )
  }
  return lines
}
