import Table from 'cli-table3'
import type { Json, JsonObject } from '../../core/json.js'
import type { Field } from '../../schema/field.js'
import { isObject } from '../body.js'
import { bracketed, type Shape } from '../shape.js'
import { type Cell, cellOf, isNumeric } from './cell.js'
import { paint } from './colour.js'
import type { Look } from './look.js'
import { fitted, widthOf } from './width.js'

type Path = readonly string[]

const GAP = '  '
const SIDES = ['top', 'bottom', 'left', 'right', 'mid']
const BORDERLESS = [
  ...SIDES,
  'top-mid',
  'top-left',
  'top-right',
  'bottom-mid',
  'bottom-left',
  'bottom-right',
  'left-mid',
  'mid-mid',
  'right-mid',
]

/** Rows under the attributes' names; on a terminal they fit its width, piped nothing is cut off. */
export function renderTable(
  rows: readonly JsonObject[],
  columns: readonly Path[],
  shape: Shape,
  look: Look,
): string {
  const lines = [
    columns.map((path) => headOf(path, shape)),
    ...rows.map((row) => columns.map((path) => cellOf(valueAt(row, path), shape.field(path)))),
  ]
  const table = new Table({
    chars: { ...Object.fromEntries(BORDERLESS.map((name) => [name, ''])), middle: GAP },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: columns.map((path) => headOf(path, shape).align),
    ...(look.width !== undefined && { colWidths: [...widthsFor(lines, columns, shape, look.width)] }),
  })
  for (const line of lines) table.push(line.map(({ text, colour }) => paint(text, colour, look.colour)))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function widthsFor(
  lines: readonly Cell[][],
  columns: readonly Path[],
  shape: Shape,
  screen: number,
): readonly number[] {
  const natural = columns.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column]?.text ?? ''))),
  )
  const whole = columns.map((path) => isWhole(shape.field(path)))
  return fitted(natural, screen - GAP.length * (columns.length - 1), whole)
}

/** Ids are copied, and an amount that lost a digit is another amount. */
function isWhole(field: Field | undefined): boolean {
  return field?.kind === 'id' || field?.kind === 'ref' || isNumeric(field)
}

/** The columns of objects that no declaration describes, or whose attributes were asked for one by one. */
export function columnsOfRows(rows: readonly JsonObject[]): readonly Path[] {
  const paths = rows.flatMap((row) => pathsOf(row, []))
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()]
}

function pathsOf(value: JsonObject, path: readonly string[]): (readonly string[])[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    isObject(inner) && Object.keys(inner).length > 0 ? pathsOf(inner, [...path, name]) : [[...path, name]],
  )
}

/** Datetimes say their zone. */
function headOf(path: readonly string[], shape: Shape): Cell {
  const field = shape.field(path)
  const zone = field?.kind === 'datetime' ? ' (UTC)' : ''
  return {
    text: bracketed(path).toUpperCase() + zone,
    align: isNumeric(field) ? 'right' : 'left',
    colour: 'bold',
  }
}

function valueAt(row: JsonObject, path: readonly string[]): Json {
  let value: Json = row
  for (const name of path) value = isObject(value) ? (value[name] ?? null) : null
  return value
}
