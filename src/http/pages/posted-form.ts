import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../engine/core/request/errors.js'
import { parseQueryString } from '../api/wire/query-string.js'

/** Fields of a form; more are refused. */
const MOST_FIELDS = 100

/** What a form of a page was filled in with, trimmed; of a repeated name the last. Throws `UnsupportedMediaType`. */
export function postedForm(request: FastifyRequest): ReadonlyMap<string, string> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new ApiError('UnsupportedMediaType', 'The form must be sent as browsers send it')
  const text = request.body instanceof Buffer ? request.body.toString('utf8') : ''
  return new Map(parseQueryString(text, MOST_FIELDS).map(([name, value]) => [name, value.trim()]))
}
