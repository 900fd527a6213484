import { cutTo, filled, fitted, widthOf } from '../output/width.js'

/** A text of a line, and where it stands in its column. */
export interface Part {
  readonly text: string
  readonly align?: 'right'
}

const GAP = '  '

/** Least width of a text that is cut off. */
const LEAST = 6

/** Lines whose parts stand under each other; so wide at most, where the widest columns give first. */
export function aligned(rows: readonly (readonly Part[])[], width: number): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column]?.text ?? ''))),
  )
  const numbers = natural.map((_, column) => rows.some((row) => row[column]?.align === 'right'))
  const least = natural.map((most, column) => (numbers[column] ? most : Math.min(most, LEAST)))
  const widths = fitted(natural, least, width - GAP.length * (columns - 1)) ?? least
  return rows.map((row) =>
    row
      .map((part, column) => padded(part, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

function padded({ text, align }: Part, width: number): string {
  return filled(cutTo(text, width), width, align ?? 'left')
}
