import type { ApiResponse } from '../../engine/core/request/request.js'
import type { JsonObject } from '../../schema/json.js'
import { LARGEST_LIMIT } from '../../schema/resource.js'
import type { ClientRequest, QueryPair } from './client/client.js'
import { valuesOf } from './output/render.js'

export interface Page {
  readonly values: readonly JsonObject[]
  /** The parameter that requests the next page; undefined on the last one. */
  readonly next: QueryPair | undefined
  /** How many objects there are in all, if the first request asked for the count. */
  readonly total: number | undefined
}

/**
 * The pages of a list, each requested when the one before has been used. `most` limits the number of objects; undefined:
 * one page as the interface gives it, `Infinity`: all.
 */
export async function* pagesOf(
  ask: (request: ClientRequest) => Promise<ApiResponse>,
  request: ClientRequest,
  most: number | undefined,
): AsyncGenerator<Page, void> {
  let query = request.query ?? []
  let left = most
  let total: number | undefined
  for (let isFirst = true; ; isFirst = false) {
    const limit: QueryPair[] = left === undefined ? [] : [['limit', String(Math.min(left, LARGEST_LIMIT))]]
    const { count = false, ...plain } = request
    const { body, headers } = await ask({ ...plain, query: [...query, ...limit], count: count && isFirst })
    const values = valuesOf(body) ?? []
    const next = nextOf(headers.Link)
    const counted = headers['X-Total-Count']
    if (counted !== undefined) total = Math.min(Number(counted), most ?? Number(counted))
    yield { values, next, total }
    if (left === undefined || !next) return
    left -= values.length
    if (left <= 0) return
    query = [...query.filter(([name]) => name !== 'offset' && name !== 'after'), next]
  }
}

/** The `after` or `offset` parameter of the link to the next page. */
function nextOf(link: string | undefined): QueryPair | undefined {
  // Links with an anchor lead to the rest of a nested list, and come behind that of the page.
  const [, search] = /^<[^?>]*\?([^>]*)>; rel="next"(?:,|$)/.exec(link ?? '') ?? []
  const pairs = [...new URLSearchParams(search)]
  return pairs.find(([name]) => name === 'after') ?? pairs.find(([name]) => name === 'offset')
}
