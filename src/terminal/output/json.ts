import type { JsonObject } from '../../core/json.js'
import type { Look } from './look.js'

/** Exactly what HTTP would answer; indented where a person reads it. */
export function renderJson(body: JsonObject, { width }: Look): string {
  return width === undefined ? JSON.stringify(body) : JSON.stringify(body, null, 2)
}
