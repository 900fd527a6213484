import type { Json } from './json.js'
import { isTree } from './types.js'

/**
 * Value with its attributes in the order of their names, so that equal values give the same text. A value
 * already in order is returned itself.
 */
export function orderedJson(value: Json): Json {
  return isOrdered(value) ? value : ordered(value)
}

/** Whether attributes are in order already, as the attributes of a file with columns are. */
function isOrdered(value: Json): boolean {
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every(isOrdered)
  let before = ''
  for (const name of Object.keys(value)) {
    if (name < before || !isOrdered(value[name] ?? null)) return false
    before = name
  }
  return true
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]))
}

/**
 * Text of validated input, which is the same for equal values in any order of their names. It is
 * hand-written because it is part of each payment. `JSON.stringify` of an ordered copy takes four times as
 * long.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isTree(value)) return String(value)
  let members = '{'
  for (const name of Object.keys(value).sort()) {
    const inner = value[name]
    if (inner !== undefined) members += `${canonicalText(name)}:${canonicalText(inner)},`
  }
  return `${members}}`
}

/** Matches texts in which JSON escapes no character. */
const PLAIN = /^[ !#-[\]-~]*$/
