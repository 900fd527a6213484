import type { Json, JsonObject } from './json.js'
import { amountIn, type Minor } from './money.js'
import { isTree } from './types.js'

/** Text of an attribute in an answer; a number as its digits. Undefined for null and all other values. */
export function answeredText(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Amount in an answer, in minor units; undefined for null. */
export function minorIn(body: JsonObject, name: string): Minor | undefined {
  return amountIn(body[name])
}

/** Nested object in an answer; empty for null. */
export function objectIn(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  return isTree(value) ? value : {}
}

/** Objects in a list; empty for any other value. */
export function objectsIn(body: JsonObject, name = 'values'): readonly JsonObject[] {
  return listIn(body, name).flatMap((value) => (isTree(value) ? [value] : []))
}

/** Texts in a list; empty for any other value. */
export function answeredTexts(body: JsonObject, name: string): readonly string[] {
  return listIn(body, name).flatMap((value) => (typeof value === 'string' ? [value] : []))
}

function listIn(body: JsonObject, name: string): readonly Json[] {
  const value = body[name]
  return Array.isArray(value) ? value : []
}
