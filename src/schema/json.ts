/** Value in JSON: bodies, answers and details of errors. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Whether a value is an object with attributes. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Value at a path; undefined if there is none. */
export function valueAt(body: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = body
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** Names that would reach the prototype of an object; no attribute has them. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a name is forbidden for the attributes of any object that is sent. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name)
}

/** Value of a JSON text; undefined, which is no JSON value, if the text is invalid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
