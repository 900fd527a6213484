import type { Json, JsonObject } from '../../../schema/json.js'
import { isObject, valueAt } from '../input/body.js'
import { isCall } from '../input/query-text.js'
import { type AnswerSchema, bracketed, type Path, pathOf } from '../input/shape.js'
import type { Format } from './format.js'

/**
 * Columns of a list: the requested columns, or else the default columns, for which `*` stands, too. A table has few
 * default columns; CSV has a column for every default attribute. Undefined for undeclared objects.
 */
export function columnsOf(
  shape: AnswerSchema,
  format: Format,
  requested: readonly string[] | undefined,
): readonly Path[] | undefined {
  if (shape.columns.length === 0) return undefined
  const usual = format === 'csv' ? shape.attributes : shape.columns
  return requested
    ? distinct(requested.flatMap((name) => (name === '*' ? usual : shape.unfold(namePath(name)))))
    : usual
}

/** The path of a name; a function such as `sum(order_details[incl_costs][tax])` is one name. */
function namePath(name: string): Path {
  return isCall(name) ? [name] : pathOf(name)
}

/** Value of a column. In a list grouped by functions, the row has the value under the requested name, with brackets. */
export function columnValue(row: JsonObject, path: Path): Json {
  return (path.length > 1 ? row[bracketed(path)] : undefined) ?? valueIn(row, path) ?? null
}

/** The value at a path, which may contain the index of an object in a list. */
function valueIn(row: JsonObject, path: Path): Json | undefined {
  const at = path.findIndex(isIndex)
  if (at < 0) return valueAt(row, path)
  const list = valueAt(row, path.slice(0, at))
  const item = Array.isArray(list) ? list[Number(path[at])] : undefined
  return isObject(item) && at + 1 < path.length ? valueIn(item, path.slice(at + 1)) : item
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name)
}

/** A list whose first objects are shown in columns. */
export interface ShownList {
  readonly path: Path
  /** Number of objects that have columns. */
  readonly length: number
}

/** Lists whose objects have columns of their own, as in `items[0].amount`. */
export function shownLists(columns: readonly Path[]): readonly ShownList[] {
  const lists = new Map<string, ShownList>()
  for (const path of columns) {
    const at = path.findIndex(isIndex)
    if (at < 1) continue
    const list = path.slice(0, at)
    const length = Math.max(Number(path[at]) + 1, lists.get(bracketed(list))?.length ?? 0)
    lists.set(bracketed(list), { path: list, length })
  }
  return [...lists.values()]
}

/** Columns of undeclared objects. */
export function columnsOfRows(rows: readonly JsonObject[]): readonly Path[] {
  return distinct(rows.flatMap((row) => pathsOf(row, [])))
}

function distinct(paths: readonly Path[]): readonly Path[] {
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()]
}

function pathsOf(value: JsonObject, path: Path): Path[] {
  return Object.entries(value).flatMap(([name, inner]) =>
    isObject(inner) && Object.keys(inner).length > 0 ? pathsOf(inner, [...path, name]) : [[...path, name]],
  )
}
