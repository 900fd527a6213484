import type { Endpoint } from '../../src/schema/openapi/endpoints.js'
import { refusalsOf } from '../../src/schema/openapi/statuses.js'
import { code, page, table } from './markdown.js'
import { summaryOf } from './names.js'

const INTRODUCTION = `A row for every path and method, made from the declarations. The last column lists the possible statuses.
Every success is 200; a row without 200 is always refused, for the reason given. Any request may be answered 400 (unreadable or
invalid), 401 (no valid key), 403 (outside the key's scope), 413 (too large), 415 (wrong content type), 429 (too many requests),
500 (unexpected error) or 503 (maintenance). 404 is an object that does not exist, or that the key may not see. 409 and 422 are
about idempotency keys, and about operations whose outcome is unknown. Any other method is 405, any other path 404.`

/** Page of all paths and methods, with their possible answers. */
export function pathsPage(endpoints: readonly Endpoint[]): string {
  return page(
    '# Every path and method',
    INTRODUCTION,
    table(['method', 'path', 'does', 'answers'], endpoints.map(row)),
  )
}

function row({ path, method, does }: Endpoint): string[] {
  const statuses = [...(does.kind === 'refuse' ? [] : [200]), ...refusalsOf(does)]
  const reason = does.kind === 'refuse' ? `always ${does.status}: ${does.reason}` : summaryOf(does)
  return [method, code(path), reason, statuses.join(' ')]
}
