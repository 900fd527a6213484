import { ApiError } from '../../../engine/core/request/errors.js'
import type { QueryPair } from '../../../engine/core/request/request.js'

/**
 * Reads `a=1&b[c]=2` into pairs, in order: `+` and `%20` are blanks, empty parts and stray `?` are dropped. Throws
 * `BadRequest` for malformed percent encoding and for more than `most` parameters.
 */
export function parseQueryString(text: string, most: number): QueryPair[] {
  const pairs: QueryPair[] = []
  for (const part of text.split('&')) {
    const written = part.replace(/^\?+/, '')
    if (written === '') continue
    if (pairs.length === most) throw new ApiError('BadRequest', `At most ${most} parameters are accepted`)
    const equals = written.indexOf('=')
    const name = equals < 0 ? written : written.slice(0, equals)
    pairs.push([decode(name), equals < 0 ? '' : decode(written.slice(equals + 1))])
  }
  return pairs
}

/** Text as it was before it was percent-encoded. */
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
