import { component, type ReadonlyJsonObject, type Schema } from '../json-schema.js'

/** All headers of answers. */
export const RESPONSE_HEADERS: ReadonlyJsonObject = {
  'X-Request-Id': header('names the request in the log'),
  'X-API-Version': header('the version of the interface', { const: 'v1' }),
  'WWW-Authenticate': header('how to authenticate'),
  Allow: header('the methods that the path takes'),
  'Retry-After': header('seconds to wait', { type: 'string', pattern: '^\\d+$' }),
  RateLimit: header('what is left of each limit that is set'),
  'RateLimit-Policy': header('the limits that are set'),
  Link: header(
    '`<…>; rel="next"` when more objects follow; with `anchor="<attribute>"` what follows in a nested list that is cut',
  ),
  'X-Truncated': header('the nested lists that are cut, by commas'),
  'X-Total-Count': header('how many objects match, with `Prefer: count=exact`', {
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

/** References to the headers of every answer and these. */
export function responseHeadersOf(more: readonly string[] = []): ReadonlyJsonObject {
  return Object.fromEntries([...EVERY, ...more].map((name) => [name, component('headers', name)]))
}
