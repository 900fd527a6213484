import type { Json, JsonObject } from './json.js'
import { amountIn, type Minor } from './money.js'
import { isTree } from './types.js'

/** Text of an attribute of an answer, a number's digits included; undefined for null and for other values. */
export function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Minor units of an amount of an answer; undefined for null. */
export function minorIn(body: JsonObject, name: string): Minor | undefined {
  return amountIn(body[name])
}

/** A nested object of an answer; empty for null. */
export function objectIn(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  return isTree(value) ? value : {}
}

/** The objects of a list; none for another value. */
export function objectsIn(body: JsonObject, name = 'values'): readonly JsonObject[] {
  return listIn(body, name).flatMap((value) => (isTree(value) ? [value] : []))
}

/** The texts of a list; none for another value. */
export function textsIn(body: JsonObject, name: string): readonly string[] {
  return listIn(body, name).flatMap((value) => (typeof value === 'string' ? [value] : []))
}

function listIn(body: JsonObject, name: string): readonly Json[] {
  const value = body[name]
  return Array.isArray(value) ? value : []
}
