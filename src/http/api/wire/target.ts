import type { QueryPair } from '../../../engine/core/request/request.js'
import { decodePercent, parseQueryString } from './query-string.js'

/** What a request line asks for. */
export interface Target {
  readonly path: string
  /** The undecoded text after the first `?`. */
  readonly search: string
}

/** Splits a request's address; an absolute one (`http://host/path`) names the same as its path. */
export function splitTarget(url: string): Target {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const address = local.split('#', 1)[0] ?? ''
  const question = address.indexOf('?')
  return question < 0
    ? { path: address, search: '' }
    : { path: address.slice(0, question), search: address.slice(question + 1) }
}

/** A path with its segments decoded; a segment that would decode into several stays as it was written. */
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

/** The parameters of a target; nothing when it has none. */
export function queryOf(search: string, most: number): readonly QueryPair[] | undefined {
  return search === '' ? undefined : parseQueryString(search, most)
}
