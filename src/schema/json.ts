/** What JSON can hold: bodies, answers and details of errors. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

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
