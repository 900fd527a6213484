import type { Json, JsonObject } from '../../core/json.js'
import { isObject } from '../body.js'

/** The value at a path; nothing where there is none. */
export function valueAt(row: JsonObject, path: readonly string[]): Json {
  let value: Json = row
  for (const name of path) value = isObject(value) ? (value[name] ?? null) : null
  return value
}
