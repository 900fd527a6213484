import { parseQueryString } from '../../../src/http/api/request-target.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { check } from './violations.js'

/** A request over HTTP and its answer. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Body of the request if it is JSON or a form; bodies of other types are not checked. */
  readonly sent: unknown
  readonly status: number
  readonly received: string
}

const MOST_PARAMETERS = 1_000
/** Paths of gateway notifications. Their format is defined by processors, so they are not checked. */
const OF_GATEWAYS = /^\/gateways\/[^/]+\/notifications$/

/** Checks an answer of the service against the OpenAPI document. */
export function checkExchange({ method, url, sent, status, received }: Exchange): void {
  const { pathname, search } = new URL(url)
  const body: JsonObject = JSON.parse(received)
  const query = parseQueryString(search, MOST_PARAMETERS)
  // The body of a refused request may be invalid JSON.
  const requested = status === 200 ? jsonOf(sent) : undefined
  const principal = { shown: isToPage(method, pathname, body) ? Object.keys(body) : undefined }
  check({ method, path: pathname, query, body: requested, principal }, { status, body })
}

/** Attributes that a client key does not see in an object that it creates, by path. */
const HIDDEN: readonly (readonly [path: RegExp, hidden: string])[] = [
  [/^\/payment_methods\/?$/, 'account_id'],
  [/^\/processing_accounts\/?$/, 'processing'],
]

/**
 * Whether the request created an object with a client key, so the answer omits some attributes. The answers of
 * the core are checked separately.
 */
function isToPage(method: string, path: string, body: JsonObject): boolean {
  const [, hidden] = HIDDEN.find(([pattern]) => pattern.test(path)) ?? []
  const isObject = method === 'POST' && body.object !== 'list' && body.object !== 'error'
  return isObject && hidden !== undefined && !(hidden in body)
}

/** `fetch` that also checks each answer of the service against the OpenAPI document. */
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

/**
 * Method and body of a request. The body of a `Request` object was already sent and is unknown; the answer
 * shows whether it concerns one object or a list.
 */
function partsOf(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit | undefined) {
  if (input instanceof Request) return { method: input.method, body: undefined }
  return { method: init?.method ?? 'GET', body: init?.body }
}

function jsonOf(sent: unknown): Json | undefined {
  return typeof sent === 'string' && /^[[{]/.test(sent) ? JSON.parse(sent) : undefined
}
