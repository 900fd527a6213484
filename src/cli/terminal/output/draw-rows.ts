import Table from 'cli-table3'

/** Blanks between two columns. */
export const GAP = '  '

/** How a column is drawn. */
export interface ColumnStyle {
  readonly width: number
  readonly align: 'left' | 'right'
}

/** The library compares every cell with all those above it, so it is given few rows at a time. */
const BATCH_SIZE = 20

const NOTHING = ''

/** No borders: columns stand apart by blanks. */
const CHARS = {
  top: NOTHING,
  'top-mid': NOTHING,
  'top-left': NOTHING,
  'top-right': NOTHING,
  bottom: NOTHING,
  'bottom-mid': NOTHING,
  'bottom-left': NOTHING,
  'bottom-right': NOTHING,
  left: NOTHING,
  'left-mid': NOTHING,
  mid: NOTHING,
  'mid-mid': NOTHING,
  right: NOTHING,
  'right-mid': NOTHING,
  middle: GAP,
}

/** Rows of cells, painted or not, as lines. A cell that is wider than its column is cut. */
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
