import type { JsonObject } from '../../core/json.js'
import { isObject } from '../body.js'
import type { Shape } from '../shape.js'
import { renderDetails } from './details.js'
import { renderJson } from './json.js'
import type { Look } from './look.js'

export type Format = 'table' | 'json'

export interface Rendering {
  readonly format: Format
  readonly shape: Shape
  readonly look: Look
  /** The attributes were named; they are the columns. */
  readonly asked: boolean
}

/** An answer as the operator asked to see it; a list as a table, one object as details. */
export async function render(body: JsonObject, { format, shape, look, asked }: Rendering): Promise<string> {
  if (format === 'json') return renderJson(body, look)
  const rows = rowsOf(body)
  if (!rows) return renderDetails(body, shape, look)
  if (rows.length === 0) return ''
  const { columnsOfRows, renderTable } = await import('./table.js')
  const columns = asked || shape.columns.length === 0 ? columnsOfRows(rows) : shape.columns
  return renderTable(rows, columns, shape, look)
}

function rowsOf({ object, values }: JsonObject): JsonObject[] | undefined {
  return object === 'list' && Array.isArray(values) ? values.filter(isObject) : undefined
}
