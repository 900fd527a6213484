import type { JsonObject } from '../../../schema/json.js'
import { isCall } from '../input/query-text.js'
import { type AnswerSchema, bracketed, type Path } from '../input/shape.js'
import { type Cell, cellOf, isForPeople, isNumeric } from './cell.js'
import { cleanText } from './clean.js'
import { paint } from './colour.js'
import { type ColumnStyle, drawRows, GAP } from './draw-rows.js'
import { isId, isWholeField, layoutOf } from './layout.js'
import type { Look } from './look.js'
import { ranksOf } from './ranks.js'
import type { Rendering } from './rendering.js'
import { columnValue } from './table-columns.js'
import { cutTo, widthOf } from './width.js'
import { wrapped, wrappedBetween } from './wrap.js'

/** A shown column. Its width is computed from the first page. */
interface TableColumn extends ColumnStyle {
  /** Index among the columns that could be shown. */
  readonly column: number
  /** Whether values are shortened. */
  readonly isShort: boolean
  /** Whether a later, wider value overflows the column; otherwise the value is cut. */
  readonly overflows: boolean
  /** Whether a wider value takes several lines. */
  readonly wraps: boolean
}

/**
 * Draws rows under the attributes' names, page by page. The first page determines the widths of columns. On a terminal,
 * the columns fit its width: ids are shortened, then columns without room are omitted, and the header ends with an
 * ellipsis. Requested columns are never omitted. A later, wider value overflows its column, except free text on a
 * terminal: it is cut, or wrapped in a list of sentences.
 */
export function tableOf(
  paths: readonly Path[],
  { shape, look, requested }: Pick<Rendering, 'shape' | 'look' | 'requested'>,
): (rows: readonly JsonObject[]) => string {
  const heads = paths.map((path) => headOf(path, shape, look))
  let columns: readonly TableColumn[] | undefined
  return (rows) => {
    const cells = rows.map((row) =>
      paths.map((path) => briefOf(cellOf(columnValue(row, path), shape.field(path), look))),
    )
    if (columns) return textOf(drawnRows(cells, columns, look))
    columns = columnsFor(cells, { paths, heads, shape, look, mayDrop: !requested && !isReadWhole(shape) })
    return textOf([...drawnHead(heads, columns, look), ...drawnRows(cells, columns, look)])
  }
}

interface FirstPage {
  readonly paths: readonly Path[]
  readonly heads: readonly Cell[]
  readonly shape: AnswerSchema
  readonly look: Look
  /** Whether columns without room may be omitted. */
  readonly mayDrop: boolean
}

/** Columns that are shown, with their widths. */
function columnsFor(
  rows: readonly (readonly Cell[])[],
  { paths, heads, shape, look, mayDrop }: FirstPage,
): readonly TableColumn[] {
  const ranks = ranksOf(paths, shape)
  const widest = (column: number, textOf: (cell: Cell) => string) =>
    Math.max(0, ...rows.map((cells) => widthOf(cells[column] ? textOf(cells[column]) : '')))
  const measured = paths.map((path, column) => ({
    values: widest(column, ({ text }) => text),
    ...(rows.some((cells) => cells[column]?.short !== undefined) && { short: widest(column, shortOf) }),
    head: widthOf(heads[column]?.text ?? ''),
    word: Math.max(0, ...(heads[column]?.text ?? '').split(' ').map(widthOf)),
    isWhole: isWholeField(shape.field(path)),
    isId: isId(shape.field(path)),
    rank: ranks[column] ?? 0,
  }))
  const shown =
    look.width === undefined
      ? measured.map(({ values, head }, column) => ({
          column,
          width: Math.max(values, head),
          isShort: false,
        }))
      : layoutOf(measured, { screen: look.width, gap: GAP.length, mayDrop })
  return shown.map(({ column, width, isShort }) => {
    const { isWhole = false, values = 0 } = measured[column] ?? {}
    const overflows = look.width === undefined || (isWhole && (isShort || values <= width))
    const wraps = shape.isProse === true && look.width !== undefined && !overflows
    return { column, width, isShort, align: heads[column]?.align ?? 'left', overflows, wraps }
  })
}

/** Whether no column may be omitted, as in texts that a command writes itself. */
function isReadWhole({ isProse, columns }: AnswerSchema): boolean {
  return isProse === true && columns.length === 0
}

/** Heads of columns, in several lines if their words need them. The last line shows whether columns are omitted. */
function drawnHead(heads: readonly Cell[], columns: readonly TableColumn[], look: Look): string[] {
  const blocks = columns.map(({ column, width }) => wrappedBetween(heads[column]?.text ?? '', width))
  const height = Math.max(1, ...blocks.map((block) => block.length))
  const rows = Array.from({ length: height }, (_, line) =>
    columns.map(({ column, width }, index) => {
      const block = blocks[index] ?? []
      const head = heads[column]
      return head ? shown({ ...head, text: block[line - height + block.length] ?? '' }, width, look) : ''
    }),
  )
  if (columns.length === heads.length) return drawRows(rows, columns)
  const marked = rows.map((row, line) => [...row, line === height - 1 ? '…' : ''])
  return drawRows(marked, [...columns, { width: 1, align: 'left' }])
}

/** Draws rows. A row with an overflowing value is drawn separately, with wider columns. */
function drawnRows(
  rows: readonly (readonly Cell[])[],
  columns: readonly TableColumn[],
  look: Look,
): string[] {
  const lines: string[] = []
  let regular: string[][] = []
  for (const row of rows) {
    const cells = columns.map(({ column, isShort }) => {
      const cell = row[column]
      return cell && isShort ? { ...cell, text: shortOf(cell) } : cell
    })
    const own = columns.map((column, index) => ({
      ...column,
      width: column.overflows ? Math.max(column.width, widthOf(cells[index]?.text ?? '')) : column.width,
    }))
    const texts = linesOf(cells, own, look)
    if (own.every(({ width }, index) => width === columns[index]?.width)) regular.push(...texts)
    else {
      lines.push(...drawRows(regular, columns), ...drawRows(texts, own))
      regular = []
    }
  }
  return [...lines, ...drawRows(regular, columns)]
}

/** A row, in as many lines as the longest of its wrapped texts needs. */
function linesOf(
  cells: readonly (Cell | undefined)[],
  columns: readonly TableColumn[],
  look: Look,
): readonly string[][] {
  const blocks = cells.map((cell, index) => {
    const { width = 0, wraps = false } = columns[index] ?? {}
    const texts = cell && wraps ? wrapped(cell.text, width) : [cell?.text ?? '']
    return texts.map((text) => shown(cell && { ...cell, text }, width, look))
  })
  const height = Math.max(1, ...blocks.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) => blocks.map((block) => block[line] ?? ''))
}

function briefOf(cell: Cell): Cell {
  return cell.brief === undefined ? cell : { ...cell, text: cell.brief }
}

function shortOf({ text, short }: Cell): string {
  return short ?? text
}

/** Text of a cell, cut and coloured. The library might cut it within a character. */
function shown(cell: Cell | undefined, width: number, look: Look): string {
  return cell ? paint(cutTo(cell.text, width), cell.colour, look.colour) : ''
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/**
 * Head of a column: words on a terminal, the attribute's name in piped output. In piped output, the head of a datetime
 * has the time zone; on a terminal, the value has it.
 */
function headOf(path: Path, shape: AnswerSchema, look: Look): Cell {
  const field = shape.field(path)
  const zone = field?.kind === 'datetime' ? ' (UTC)' : ''
  return {
    text: isForPeople(look)
      ? cleanText(wordsOf(path).toUpperCase())
      : cleanText(bracketed(path).toUpperCase()) + zone,
    align: isNumeric(field) ? 'right' : 'left',
    colour: 'bold',
  }
}

/** Attributes that name an object: their column has the name of the object. */
const NAMES = ['name', 'description', 'id']

/**
 * Words for a path: `payment_method[description]` is `payment method`, `created_at` is `created`. A function stays as
 * written.
 */
function wordsOf(path: Path): string {
  const [first = ''] = path
  if (isCall(first)) return first
  const last = path.at(-1) ?? ''
  const named = path.length > 1 && NAMES.includes(last) ? path.slice(0, -1) : path
  return named.map((name) => name.replace(/_at$/, '').replaceAll('_', ' ')).join(' ')
}
