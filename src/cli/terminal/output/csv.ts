import type { Json, JsonObject } from '../../../schema/json.js'
import { valueAt } from '../input/body.js'
import { bracketed, type Path, type Shape } from '../input/shape.js'
import { moneyText } from './cell.js'
import { csvLine as cellsLine } from './csv-line.js'

/** The names of the columns, which never change within one output. */
export function csvHead(columns: readonly Path[]): string {
  return cellsLine(columns.map(bracketed))
}

/**
 * An object as a line of RFC 4180 (ending in a line feed): money with its decimals, lists as JSON, nothing as nothing.
 * Texts are as they are stored: control characters, too.
 */
export function csvLine(row: JsonObject, columns: readonly Path[], shape: Shape): string {
  return cellsLine(columns.map((path) => textOf(valueAt(row, path) ?? null, shape, path)))
}

function textOf(value: Json, shape: Shape, path: Path): string {
  if (value === null) return ''
  if (shape.field(path)?.kind === 'money') return moneyText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
