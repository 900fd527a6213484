import type { FastifyReply } from 'fastify'
import { ApiError, databaseUnavailable, errorBody } from '../../engine/core/request/api-error.js'
import { codeOf } from '../../platform/error-code.js'
import { METHODS } from '../../schema/resource.js'

/** The version of the API, sent with every answer. */
export const VERSION = 'v1'

/** Headers of every answer. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-api-version': VERSION,
} as const

const ALLOWED = { Allow: METHODS.join(', ') } as const

type Headers = Readonly<Record<string, string>>

/** Sends an answer; JSON text is sent unchanged. */
export function send(
  reply: FastifyReply,
  status: number,
  body: object | string | Buffer,
  headers: Headers = {},
): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .header('x-request-id', reply.request.id)
    .headers(headers)
    .send(typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body))
}

export function unknownMethod(method: string): ApiError {
  return new ApiError('MethodNotAllowed', `${method} is not a method of this interface`, {}, ALLOWED)
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  return send(reply, error.status, errorBody(error), error.headers)
}

/** An error as a whole HTTP message, for a socket whose request could not be read. */
export function errorMessage(error: ApiError): string {
  const body = JSON.stringify(errorBody(error))
  const headers = { ...HEADERS, connection: 'close', 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${error.type}\r\n${lines.join('')}\r\n${body}`
}

/** The error to answer with; an unexpected error becomes a 500 that reveals no detail. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.name === 'StoreError')
    return databaseUnavailable('problem' in error && error.problem)
  switch (codeOf(error)) {
    case 'FST_ERR_BAD_URL':
      return new ApiError('BadRequest', 'The address has malformed percent encoding')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('UnsupportedMediaType', 'The Content-Type header is not understood')
    // All paths have routes, so this is a method that only Node's parser knows, such as `PRI`.
    case 'FST_ERR_NOT_FOUND':
      return new ApiError('MethodNotAllowed', 'The method is not one of this interface', {}, ALLOWED)
    case 'ECONNRESET':
      return new ApiError('BadRequest', 'The request ended too early')
    default:
      return new ApiError(
        'InternalServerError',
        'Something went wrong here; the request id finds it in the log',
      )
  }
}
