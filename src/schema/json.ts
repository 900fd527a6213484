/** What JSON can hold: bodies, answers and details of errors. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** Whether a value is an object with attributes. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path; undefined if there is none. */
export function valueAt(body: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = body
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return value
}

/** Names that would reach the prototype of an object; no attribute has them. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether no object that is sent may have the name. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name)
}

/** What a text is as JSON; undefined, which no JSON is, when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
