import type { ApiResponse, QueryPair } from '../../src/engine/core/request/request.js'

/** Answers a query on a list of `many` objects, which are numbered from 0. */
export function objectsNumbered(many: number, query: readonly QueryPair[], isCounted: boolean): ApiResponse {
  const given = new Map(query)
  const limit = Number(given.get('limit') ?? 100)
  const after = given.get('after')
  const start = after === undefined ? Number(given.get('offset') ?? 0) : Number(after) + 1
  const end = Math.min(many, start + limit)
  const values = Array.from({ length: Math.max(0, end - start) }, (_, index) => ({ id: start + index }))
  const headers = {
    ...(end < many && { Link: `</things?status=good&after=${end - 1}>; rel="next"` }),
    ...(isCounted && { 'X-Total-Count': String(many) }),
  }
  return { status: 200, body: { object: 'list', values }, headers }
}
