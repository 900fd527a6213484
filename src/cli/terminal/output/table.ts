import type { JsonObject } from '../../../schema/json.js'
import { valueAt } from '../input/body.js'
import { bracketed, type Path, type Shape } from '../input/shape.js'
import { type Cell, cellOf, isNumeric } from './cell.js'
import { paint } from './colour.js'
import { isWholeField, layoutOf } from './layout.js'
import type { Look } from './look.js'
import type { Rendering } from './rendering.js'
import { cutTo, filled, widthOf } from './width.js'

const GAP = '  '

/**
 * Rows under the attributes' names, page by page; on a terminal they fit its width, piped nothing is cut off. Columns
 * become wider with what later pages bring, never narrower. Unless they were asked for, those that a terminal has no
 * room for are left out, and the head ends with an ellipsis.
 */
export function tableOf(
  columns: readonly Path[],
  { shape, look, asked }: Pick<Rendering, 'shape' | 'look' | 'asked'>,
) {
  const heads = columns.map((path) => headOf(path, shape))
  const values = columns.map(() => 0)
  let kept = columns.length
  const widthsNow = (mayDrop: boolean): readonly number[] => {
    const known = columns.slice(0, kept).map((path, column) => ({
      values: values[column] ?? 0,
      head: widthOf(heads[column]?.text ?? ''),
      isWhole: isWholeField(shape.field(path)),
    }))
    if (look.width === undefined) return known.map((column) => Math.max(column.values, column.head))
    return layoutOf(known, { screen: look.width, gap: GAP.length, mayDrop })
  }
  const lineOf = (cells: readonly Cell[], widths: readonly number[]) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? EMPTY
        return shown(cell, width, heads[column]?.align ?? cell.align, look)
      })
      .join(GAP)
      .trimEnd()
  return (rows: readonly JsonObject[], isFirst: boolean): string => {
    const lines = rows.map((row) =>
      columns.map((path) => cellOf(valueAt(row, path) ?? null, shape.field(path))),
    )
    for (const line of lines)
      for (const [column, { text }] of line.entries())
        values[column] = Math.max(values[column] ?? 0, widthOf(text))
    const widths = widthsNow(isFirst && !asked)
    kept = widths.length
    const rest = kept < columns.length ? `${GAP}…` : ''
    const head = isFirst ? [`${lineOf(heads, widths)}${rest}\n`] : []
    return [...head, ...lines.map((line) => `${lineOf(line, widths)}\n`)].join('')
  }
}

const EMPTY: Cell = { text: '', align: 'left' }

function shown({ text, colour }: Cell, width: number, align: Cell['align'], look: Look): string {
  const cut = look.width === undefined ? text : cutTo(text, width)
  return filled(cut, width, align, paint(cut, colour, look.colour))
}

/** Datetimes say their zone. */
function headOf(path: Path, shape: Shape): Cell {
  const field = shape.field(path)
  const zone = field?.kind === 'datetime' ? ' (UTC)' : ''
  return {
    text: bracketed(path).toUpperCase() + zone,
    align: isNumeric(field) ? 'right' : 'left',
    colour: 'bold',
  }
}
