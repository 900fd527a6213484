import type { FastifyReply } from 'fastify'
import { type ApiError, errorBody } from '../../../engine/core/request/errors.js'
import { VERSION } from './version.js'

/** Headers of every answer. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-api-version': VERSION,
} as const

type Headers = Readonly<Record<string, string>>

/** Sends an answer; a body that is JSON text already is sent as it is. */
export function send(
  reply: FastifyReply,
  status: number,
  body: object | string,
  headers: Headers = {},
): FastifyReply {
  return reply
    .code(status)
    .headers(HEADERS)
    .header('x-request-id', reply.request.id)
    .headers(headers)
    .send(typeof body === 'string' ? body : JSON.stringify(body))
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
