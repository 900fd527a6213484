import { parseQueryString } from '../../../src/http/api/request-target.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { check } from './violations.js'

/** A request over HTTP and its answer. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** JSON or a form; anything else is not checked. */
  readonly sent: unknown
  readonly status: number
  readonly received: string
}

const MOST_PARAMETERS = 1_000
/** What processors post to is theirs, and no part of the interface. */
const OF_GATEWAYS = /^\/gateways\/[^/]+\/notifications$/

/** Checks an answer of the service against the document. */
export function checkExchange({ method, url, sent, status, received }: Exchange): void {
  const { pathname, search } = new URL(url)
  const body: JsonObject = JSON.parse(received)
  const query = parseQueryString(search, MOST_PARAMETERS)
  // A refused body may not be JSON.
  const requested = status === 200 ? jsonOf(sent) : undefined
  const principal = { shown: isToPage(method, pathname, body) ? Object.keys(body) : undefined }
  check({ method, path: pathname, query, body: requested, principal }, { status, body })
}

/** Attributes that a page is not shown of what it makes, by its path. */
const HIDDEN: readonly (readonly [path: RegExp, hidden: string])[] = [
  [/^\/payment_methods\/?$/, 'account_id'],
  [/^\/processing_accounts\/?$/, 'processing'],
]

/** Whether a new object is answered to a page, which is shown a part of it. The core's answers are checked too. */
function isToPage(method: string, path: string, body: JsonObject): boolean {
  const [, hidden] = HIDDEN.find(([pattern]) => pattern.test(path)) ?? []
  const isObject = method === 'POST' && body.object !== 'list' && body.object !== 'error'
  return isObject && hidden !== undefined && !(hidden in body)
}

/** `fetch`, with every answer of the service checked against the document. */
export function checkedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (!isJson || !response.headers.has('x-api-version') || init?.method === 'HEAD') return response
    if (OF_GATEWAYS.test(new URL(response.url).pathname)) return response
    const received = await response.clone().text()
    const { method, body: sent } = partsOf(input, init)
    checkExchange({ method, url: response.url, sent, status: response.status, received })
    return response
  }
}

/** A request that is given whole was sent by then: its body is not known, and the answer itself shows what it was. */
function partsOf(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit | undefined) {
  if (input instanceof Request) return { method: input.method, body: undefined }
  return { method: init?.method ?? 'GET', body: init?.body }
}

function jsonOf(sent: unknown): Json | undefined {
  return typeof sent === 'string' && /^[[{]/.test(sent) ? JSON.parse(sent) : undefined
}
