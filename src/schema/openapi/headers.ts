import { component, type ReadonlyJsonObject, type Schema } from '../json-schema.js'

/** All headers of answers. */
export const RESPONSE_HEADERS: ReadonlyJsonObject = {
  'X-Request-Id': header('id of the request in the log'),
  'X-API-Version': header('the version of the interface', { const: 'v1' }),
  'WWW-Authenticate': header('how to authenticate'),
  Allow: header('the methods that the path accepts'),
  'Retry-After': header('seconds to wait', { type: 'string', pattern: '^\\d+$' }),
  RateLimit: header('what remains of each limit that applies'),
  'RateLimit-Policy': header('the limits that apply'),
  Link: header(
    '`<…>; rel="next"` is the next page, if there is one; with `anchor="<attribute>"` it is the rest of a nested list that is cut',
  ),
  'X-Truncated': header('the nested lists that are cut, separated by commas'),
  'X-Total-Count': header('number of matching objects, with `Prefer: count=exact`', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  'Idempotent-Replay': header('`true` when this is the stored answer to an earlier request', {
    const: 'true',
  }),
  'Preference-Applied': header('`dry-run` when nothing was written', { const: 'dry-run' }),
}

function header(description: string, schema: Schema = { type: 'string' }): ReadonlyJsonObject {
  return { description, schema }
}

/** Headers of every answer. */
const EVERY = ['X-Request-Id', 'X-API-Version', 'RateLimit', 'RateLimit-Policy']

/** References to the headers of every answer, and to the given additional headers. */
export function responseHeadersOf(more: readonly string[] = []): ReadonlyJsonObject {
  return Object.fromEntries([...EVERY, ...more].map((name) => [name, component('headers', name)]))
}
