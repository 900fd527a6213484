import { ApiError } from '../../engine/core/request/api-error.js'
import { parseExactJson } from '../../schema/exact-json.js'
import { isForbiddenName, type Json } from '../../schema/json.js'
import { repeatedName } from '../../schema/repeated-name.js'
import type { Limits } from './http-limits.js'

/** Number of characters of a name that an error shows. */
const MAX_SHOWN = 64

type JsonLimits = Pick<Limits, 'depth' | 'names' | 'objectNames'>

/** Reads a JSON body. Throws `BadRequest`, which repeats no value of the input. */
export function parseJson(text: string, limits: JsonLimits): Json {
  const value = parse(text)
  const left = { names: limits.names }
  if (!isJson(value, limits, left, limits.depth)) throw malformed()
  const twice = repeatedName(text, limits.names - left.names)
  if (twice === undefined) return value
  throw new ApiError('BadRequest', `An object in the body has the name ${twice.slice(0, MAX_SHOWN)} twice`)
}

function parse(text: string): unknown {
  try {
    return parseExactJson(text, { attribute: 'attrs' })
  } catch (error) {
    if (error instanceof SyntaxError) throw malformed()
    throw error
  }
}

function malformed(): ApiError {
  return new ApiError('BadRequest', 'The body is not valid JSON')
}

/**
 * Checks a parsed value; `left.names` counts down for the whole body. Throws `BadRequest` for too deep nesting, for
 * forbidden names and for too many names.
 */
function isJson(value: unknown, limits: JsonLimits, left: { names: number }, levels: number): value is Json {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) throw tooDeep(limits.depth)
  if (Array.isArray(value)) return value.every((item) => isJson(item, limits, left, levels - 1))
  const names = Object.keys(value)
  left.names -= names.length
  if (names.length > limits.objectNames) throw tooManyNames('An object in the body', limits.objectNames)
  if (left.names < 0) throw tooManyNames('The body', limits.names)
  for (const name of names) refuseForbidden(name)
  return Object.values(value).every((inner) => isJson(inner, limits, left, levels - 1))
}

function tooManyNames(where: string, max: number): ApiError {
  return new ApiError('BadRequest', `${where} has more than ${max} names`)
}

/** Throws `BadRequest` for an attribute name that no object may have. */
export function refuseForbidden(name: string): void {
  if (isForbiddenName(name)) throw new ApiError('BadRequest', `The body has the forbidden attribute ${name}`)
}

export function tooDeep(depth: number): ApiError {
  return new ApiError('BadRequest', `The body is nested deeper than ${depth} levels`)
}
