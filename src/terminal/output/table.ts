import type { JsonObject } from '../../core/json.js'
import type { Field } from '../../schema/field.js'
import { bracketed, type Path, type Shape } from '../shape.js'
import { type Cell, cellOf, isNumeric } from './cell.js'
import { paint } from './colour.js'
import type { Look } from './look.js'
import { valueAt } from './value-at.js'
import { cutTo, filled, fitted, widthOf } from './width.js'

const GAP = '  '

/**
 * Rows under the attributes' names, page by page; on a terminal they fit its width, piped nothing is cut off. Columns
 * become wider with what later pages bring, never narrower.
 */
export function tableOf(columns: readonly Path[], shape: Shape, look: Look) {
  const head = columns.map((path) => headOf(path, shape))
  const whole = columns.map((path) => isWhole(shape.field(path)))
  let natural = head.map(({ text }) => widthOf(text))
  const lineOf = (cells: readonly Cell[], widths: readonly number[]) =>
    `${cells
      .map((cell, column) => shown(cell, widths[column] ?? 0, head[column]?.align ?? cell.align, look))
      .join(GAP)
      .trimEnd()}\n`
  return (rows: readonly JsonObject[], isFirst: boolean): string => {
    const lines = rows.map((row) => columns.map((path) => cellOf(valueAt(row, path), shape.field(path))))
    for (const line of lines)
      natural = natural.map((width, column) => Math.max(width, widthOf(line[column]?.text ?? '')))
    const screen = look.width
    const widths =
      screen === undefined ? natural : fitted(natural, screen - GAP.length * (columns.length - 1), whole)
    return (isFirst ? [head, ...lines] : lines).map((line) => lineOf(line, widths)).join('')
  }
}

function shown({ text, colour }: Cell, width: number, align: Cell['align'], look: Look): string {
  const cut = look.width === undefined ? text : cutTo(text, width)
  return filled(cut, width, align, paint(cut, colour, look.colour))
}

/** Ids are copied, and an amount that lost a digit is another amount. */
function isWhole(field: Field | undefined): boolean {
  return field?.kind === 'id' || field?.kind === 'ref' || isNumeric(field)
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
