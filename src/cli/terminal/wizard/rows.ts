import { drawRows, GAP } from '../output/draw-rows.js'
import { cutTo, fitted, widthOf } from '../output/width.js'

/** A text of a line, and where it stands in its column. */
export interface Part {
  readonly text: string
  readonly align?: 'right'
}

/** Least width of a text that is cut off. */
const MIN_WIDTH = 6

/** Lines whose parts stand under each other; so wide at most, where the widest columns give first. */
export function aligned(rows: readonly (readonly Part[])[], width: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, column) => {
    const natural = Math.max(...rows.map((row) => widthOf(row[column]?.text ?? '')))
    const isNumeric = rows.some((row) => row[column]?.align === 'right')
    return { natural, align: isNumeric ? 'right' : 'left' } as const
  })
  const natural = columns.map((column) => column.natural)
  const least = columns.map(({ natural, align }) =>
    align === 'right' ? natural : Math.min(natural, MIN_WIDTH),
  )
  const widths = fitted(natural, least, width - GAP.length * (count - 1)) ?? least
  return drawRows(
    rows.map((row) => widths.map((width, column) => cutTo(row[column]?.text ?? '', width))),
    columns.map(({ align }, column) => ({ align, width: widths[column] ?? 0 })),
  )
}
