import { drawRows, GAP } from '../output/draw-rows.js'
import { cutTo, fitted, widthOf } from '../output/width.js'

/** A cell of a line, with its alignment. */
export interface Part {
  readonly text: string
  readonly align?: 'right'
  /** Whether the text must not be cut, as the last digits of a card. */
  readonly isWhole?: boolean
}

/** Smallest width of a text that is cut. */
const MIN_WIDTH = 6

/** Draws rows with aligned columns; if they are wider than `width`, the widest columns shrink first. */
export function aligned(rows: readonly (readonly Part[])[], width: number): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const columns = Array.from({ length: count }, (_, column) => {
    const natural = Math.max(...rows.map((row) => widthOf(row[column]?.text ?? '')))
    const isNumeric = rows.some((row) => row[column]?.align === 'right')
    const isWhole = isNumeric || rows.some((row) => row[column]?.isWhole)
    return { natural, isWhole, align: isNumeric ? 'right' : 'left' } as const
  })
  const natural = columns.map((column) => column.natural)
  const least = columns.map(({ natural, isWhole }) => (isWhole ? natural : Math.min(natural, MIN_WIDTH)))
  const widths = fitted(natural, least, width - GAP.length * (count - 1)) ?? least
  return drawRows(
    rows.map((row) => widths.map((width, column) => cutTo(row[column]?.text ?? '', width))),
    columns.map(({ align }, column) => ({ align, width: widths[column] ?? 0 })),
  )
}
