import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { JsonObject } from '../../../schema/json.js'
import { DEFAULT_LIMIT, LARGEST_LIMIT, MAX_LINKS } from '../../../schema/resource.js'
import type { ClientRequest, QueryPair } from '../client/client.js'
import { valuesOf } from '../output/render.js'
import { restLinksOf, withRest } from './rest-links.js'

export type SendRequest = (request: ClientRequest) => Promise<ApiResponse>

export interface Page {
  readonly values: readonly JsonObject[]
  /** The parameter that requests the next page; undefined on the last page. */
  readonly next: QueryPair | undefined
  /** Attributes whose nested lists are not complete. */
  readonly missing: readonly string[]
  /** Number of all objects; undefined unless the first request has `count`. */
  readonly total: number | undefined
}

/**
 * Pages of a list, each requested when the previous one has been used. `most` limits the number of objects: undefined
 * for one page of the API's default size, `Infinity` for all. Nested lists that an answer cuts are read to their end.
 * If the answer may lack links to some cut lists, the page is requested again in smaller parts.
 */
export async function* pagesOf(
  ask: SendRequest,
  request: ClientRequest,
  most: number | undefined,
): AsyncGenerator<Page, void> {
  const { count = false, ...plain } = request
  let query = request.query ?? []
  let left = most
  let size = LARGEST_LIMIT
  let total: number | undefined
  for (let isFirst = true; ; isFirst = false) {
    const limit: QueryPair[] = left === undefined ? [] : [['limit', String(Math.min(left, size))]]
    const response = await ask({ ...plain, query: [...query, ...limit], count: count && isFirst })
    const counted = response.headers['X-Total-Count']
    if (counted !== undefined) total = Math.min(Number(counted), most ?? Number(counted))
    const part = sizeOfPart(response)
    if (part !== undefined) {
      left ??= DEFAULT_LIMIT
      size = part
      continue
    }
    const page = await pageOf(ask, response, total)
    yield page
    left = left === undefined ? 0 : left - page.values.length
    if (left <= 0 || !page.next) return
    query = [...query.filter(([name]) => name !== 'offset' && name !== 'after'), page.next]
  }
}

/**
 * Number of objects to request instead, if an answer may lack links to some of its cut lists; otherwise
 * undefined.
 */
function sizeOfPart(response: ApiResponse): number | undefined {
  const { length } = valuesOf(response.body) ?? []
  if (length < 2 || restLinksOf(response).length < MAX_LINKS) return undefined
  return Math.ceil(Math.min(length, MAX_LINKS) / 2)
}

async function pageOf(ask: SendRequest, response: ApiResponse, total: number | undefined): Promise<Page> {
  const { body, missing } = await withRest((rest) => allOf(ask, rest), response)
  return { values: valuesOf(body) ?? [], next: nextOf(response.headers.Link), total, missing }
}

/** All pages of a list. */
export function allOf(ask: SendRequest, request: ClientRequest): AsyncGenerator<Page, void> {
  return pagesOf(ask, request, Number.POSITIVE_INFINITY)
}

/** The `after` or `offset` parameter of the link to the next page. */
function nextOf(link: string | undefined): QueryPair | undefined {
  // Links with an anchor lead to the rest of a nested list, and follow the link of the page.
  const [, search] = /^<[^?>]*\?([^>]*)>; rel="next"(?:,|$)/.exec(link ?? '') ?? []
  const pairs = [...new URLSearchParams(search)]
  return pairs.find(([name]) => name === 'after') ?? pairs.find(([name]) => name === 'offset')
}
