import { ApiError } from '../../../engine/core/request/errors.js'

/** Names that would reach the prototype of an object; no attribute has them. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Throws `BadRequest` for an attribute name that no object may have. */
export function refuseForbidden(name: string): void {
  if (FORBIDDEN.has(name)) throw new ApiError('BadRequest', `The body has the forbidden attribute ${name}`)
}

export function tooDeep(depth: number): ApiError {
  return new ApiError('BadRequest', `The body is nested deeper than ${depth} levels`)
}

/**
 * The parts of a form field's name: `payment_method[card][expiry]`, `[0][name]`, and the spec's `[0]name`. An empty
 * part (`ids[]`) means the next of a list. Throws `BadRequest` when brackets do not match or it is too deep.
 */
export function partsOf(name: string, depth: number): string[] {
  const parts: string[] = []
  const part = /\[([^[\]]*)\]|([^[\]]+)/y
  while (part.lastIndex < name.length) {
    const match = part.exec(name)
    if (!match) throw new ApiError('BadRequest', 'The body has a field name whose brackets do not match')
    parts.push((match[1] ?? match[2] ?? '').trim())
    if (parts.length > depth) throw tooDeep(depth)
  }
  if (parts.length === 0) throw new ApiError('BadRequest', 'The body has a field without a name')
  parts.forEach(refuseForbidden)
  return parts
}
