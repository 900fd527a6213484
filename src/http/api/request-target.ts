import { ApiError } from '../../engine/core/request/api-error.js'
import type { QueryPair } from '../../engine/core/request/request.js'

/** Path and query string of the address in a request line. */
export interface RequestTarget {
  readonly path: string
  /** The undecoded text after the first `?`. */
  readonly search: string
}

/** Splits a request's address. Scheme and host of an absolute address (`http://host/path`) are dropped. */
export function splitTarget(url = '/'): RequestTarget {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const fragment = local.indexOf('#')
  const address = fragment < 0 ? local : local.slice(0, fragment)
  const question = address.indexOf('?')
  return question < 0
    ? { path: address, search: '' }
    : { path: address.slice(0, question), search: address.slice(question + 1) }
}

/** A path with its segments decoded; a segment that would decode into several stays encoded. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  return path
    .split('/')
    .map((segment) => {
      const decoded = decodePercent(segment)
      return decoded.includes('/') ? segment : decoded
    })
    .join('/')
}

/**
 * Reads `a=1&b[c]=2` into pairs, in order: `+` and `%20` are blanks, empty parts and stray `?` are dropped. Throws
 * `BadRequest` for malformed percent encoding and for more than `max` parameters.
 */
export function parseQueryString(text: string, max: number): QueryPair[] {
  const pairs: QueryPair[] = []
  for (const part of text.split('&')) {
    const parameter = part.replace(/^\?+/, '')
    if (parameter === '') continue
    if (pairs.length === max) throw new ApiError('BadRequest', `At most ${max} parameters are accepted`)
    const equals = parameter.indexOf('=')
    const name = equals < 0 ? parameter : parameter.slice(0, equals)
    pairs.push([decode(name), equals < 0 ? '' : decode(parameter.slice(equals + 1))])
  }
  return pairs
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  return spaced.includes('%') ? decodePercent(spaced) : spaced
}

/** Throws `BadRequest` when the encoding is malformed or is not UTF-8. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError)
      throw new ApiError('BadRequest', 'The address has malformed percent encoding')
    throw error
  }
}
