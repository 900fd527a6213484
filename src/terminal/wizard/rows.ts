import { fitted, widthOf } from '../output/width.js'

/** A text of a line, and where it stands in its column. */
export interface Part {
  readonly text: string
  readonly align?: 'right'
}

const GAP = '  '

/** Lines whose parts stand under each other; so wide at most, where the widest columns give first. */
export function aligned(rows: readonly (readonly Part[])[], width: number): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length))
  const natural = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column]?.text ?? ''))),
  )
  const numbers = natural.map((_, column) => rows.some((row) => row[column]?.align === 'right'))
  const widths = fitted(natural, width - GAP.length * (columns - 1), numbers)
  return rows.map((row) =>
    row
      .map((part, column) => padded(part, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

function padded({ text, align }: Part, width: number): string {
  const shown = cut(text, width)
  const space = ' '.repeat(width - widthOf(shown))
  return align === 'right' ? space + shown : shown + space
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let shown = ''
  for (const character of text) {
    if (widthOf(shown + character) > width - 1) break
    shown += character
  }
  return `${shown}…`
}
