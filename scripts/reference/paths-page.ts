import type { Endpoint } from '../../src/schema/openapi/endpoints.js'
import { refusalsOf } from '../../src/schema/openapi/statuses.js'
import { code, page, table } from './markdown.js'
import { summaryOf } from './names.js'

const INTRODUCTION = `A row for every path and method, made from the declarations. What it can answer stands in the last
column: 200 is every success, and a row without it is always refused, for the reason given. 400, 401, 403, 413, 415,
429, 500 and 503 can be answered to any request: unreadable or invalid, without a good key, outside of its scope, too large,
of another kind, too often, unexpected, and in maintenance. 404 is a path whose object is not there or not the key's,
409 and 422 belong to idempotency keys and to operations whose outcome is open. Any other method is 405, any other path 404.`

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
