import type { JsonObject } from '../../../schema/json.js'
import { bracketed, type Path, type Shape } from '../input/shape.js'
import { type Cell, cellOf, isNumeric } from './cell.js'
import { cleanText } from './clean.js'
import { paint } from './colour.js'
import { columnValue } from './columns.js'
import { type ColumnStyle, drawRows, GAP } from './draw-rows.js'
import { isWholeField, layoutOf } from './layout.js'
import type { Look } from './look.js'
import type { Rendering } from './rendering.js'
import { cutTo, widthOf } from './width.js'

/** A column with the width that the first page has determined. */
interface TableColumn extends ColumnStyle {
  /** Whether a later, wider value overflows the column; otherwise it is cut. */
  readonly overflows: boolean
}

/**
 * Draws rows under the attributes' names, page by page. The first page determines the widths of columns. On a terminal they
 * fit its width: columns without room are left out, and the header ends with an ellipsis, unless they were requested. A
 * later, wider value overflows its column, unless it is free text on a terminal.
 */
export function tableOf(
  paths: readonly Path[],
  { shape, look, requested }: Pick<Rendering, 'shape' | 'look' | 'requested'>,
): (rows: readonly JsonObject[]) => string {
  const heads = paths.map((path) => headOf(path, shape))
  let columns: readonly TableColumn[] | undefined
  return (rows) => {
    const cells = rows.map((row) => paths.map((path) => cellOf(columnValue(row, path), shape.field(path))))
    if (columns) return textOf(drawnRows(cells, columns, look))
    columns = columnsFor(cells, { paths, heads, shape, look, mayDrop: !requested })
    return textOf([...drawnHead(heads, columns, look), ...drawnRows(cells, columns, look)])
  }
}

interface FirstPage {
  readonly paths: readonly Path[]
  readonly heads: readonly Cell[]
  readonly shape: Shape
  readonly look: Look
  /** Whether columns without room may be left out. */
  readonly mayDrop: boolean
}

/** The columns that are shown, with their widths. */
function columnsFor(
  rows: readonly (readonly Cell[])[],
  { paths, heads, shape, look, mayDrop }: FirstPage,
): readonly TableColumn[] {
  const measured = paths.map((path, column) => ({
    values: Math.max(0, ...rows.map((cells) => widthOf(cells[column]?.text ?? ''))),
    head: widthOf(heads[column]?.text ?? ''),
    isWhole: isWholeField(shape.field(path)),
  }))
  const widths =
    look.width === undefined
      ? measured.map(({ values, head }) => Math.max(values, head))
      : layoutOf(measured, { screen: look.width, gap: GAP.length, mayDrop })
  return widths.map((width, column) => {
    const { isWhole = false, values = 0 } = measured[column] ?? {}
    const overflows = look.width === undefined || (isWhole && values <= width)
    return { width, align: heads[column]?.align ?? 'left', overflows }
  })
}

function drawnHead(heads: readonly Cell[], columns: readonly TableColumn[], look: Look): string[] {
  const texts = columns.map(({ width }, column) => shown(heads[column], width, look))
  if (columns.length === heads.length) return drawRows([texts], columns)
  return drawRows([[...texts, '…']], [...columns, { width: 1, align: 'left' }])
}

/** Draws rows; one that overflows is drawn by itself, with wider columns. */
function drawnRows(
  rows: readonly (readonly Cell[])[],
  columns: readonly TableColumn[],
  look: Look,
): string[] {
  const lines: string[] = []
  let regular: string[][] = []
  for (const cells of rows) {
    const own = columns.map((column, index) => ({
      ...column,
      width: column.overflows ? Math.max(column.width, widthOf(cells[index]?.text ?? '')) : column.width,
    }))
    const texts = own.map(({ width }, index) => shown(cells[index], width, look))
    if (own.every(({ width }, index) => width === columns[index]?.width)) regular.push(texts)
    else {
      lines.push(...drawRows(regular, columns), ...drawRows([texts], own))
      regular = []
    }
  }
  return [...lines, ...drawRows(regular, columns)]
}

/** A cell's text, cut and painted. The library would cut inside of characters. */
function shown(cell: Cell | undefined, width: number, look: Look): string {
  return cell ? paint(cutTo(cell.text, width), cell.colour, look.colour) : ''
}

/** The header of a column; that of a datetime has the time zone. */
function headOf(path: Path, shape: Shape): Cell {
  const field = shape.field(path)
  const zone = field?.kind === 'datetime' ? ' (UTC)' : ''
  return {
    text: cleanText(bracketed(path).toUpperCase()) + zone,
    align: isNumeric(field) ? 'right' : 'left',
    colour: 'bold',
  }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
