import { ApiError } from '../../engine/core/request/errors.js'
import type { Json } from '../../schema/json.js'

/** Names that would reach the prototype of an object; no attribute has them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads a JSON body. Throws `BadRequest`, which never repeats what was sent. */
export function parseJson(text: string, depth: number): Json {
  const value = parse(text)
  if (isJson(value, depth, depth)) return value
  throw malformed()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed()
    throw error
  }
}

function malformed(): ApiError {
  return new ApiError('BadRequest', 'The body is not valid JSON')
}

/** Walks what was parsed, no deeper than allowed. Throws `BadRequest` for depth and for forbidden names. */
function isJson(value: unknown, left: number, depth: number): value is Json {
  if (typeof value !== 'object' || value === null) return true
  if (left === 0) throw tooDeep(depth)
  if (Array.isArray(value)) return value.every((item) => isJson(item, left - 1, depth))
  for (const name of Object.keys(value)) refuseForbidden(name)
  return Object.values(value).every((inner) => isJson(inner, left - 1, depth))
}

/** Throws `BadRequest` for an attribute name that no object may have. */
export function refuseForbidden(name: string): void {
  if (FORBIDDEN.has(name)) throw new ApiError('BadRequest', `The body has the forbidden attribute ${name}`)
}

export function tooDeep(depth: number): ApiError {
  return new ApiError('BadRequest', `The body is nested deeper than ${depth} levels`)
}
