import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../engine/core/request/api-error.js'
import { codeOf } from '../platform/error-code.js'
import type { Limits } from './api/http-limits.js'
import type { Logger } from './api/log.js'
import { errorMessage } from './api/send-answer.js'

/** Error of a server that cannot listen. The message is one sentence that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** Options of Fastify and Node: limits of headers and of time. HEAD is answered as GET, without the body. */
export function httpOptions(limits: Limits) {
  const { requestMilliseconds, headerBytes, keepAliveMilliseconds } = limits
  return {
    exposeHeadRoutes: true,
    return503OnClosing: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestMilliseconds,
    keepAliveTimeout: keepAliveMilliseconds,
    routerOptions: { maxParamLength: headerBytes },
    http: {
      maxHeaderSize: headerBytes,
      headersTimeout: requestMilliseconds,
      requestTimeout: requestMilliseconds,
      connectionsCheckingInterval: Math.ceil(requestMilliseconds / 4),
      requireHostHeader: false,
    },
  } as const
}

/**
 * Headers that may appear only once. If a header is repeated, Node uses the first value or joins all values, while a
 * proxy may use the last value.
 */
const SINGLE = new Set(['host', 'authorization', 'content-type', 'idempotency-key'])

/**
 * Throws `BadRequest` when a header that must be unique came twice: a proxy in front may have read the other value. RFC
 * 9112, section 3.2.
 */
export function refuseRepeatedHeaders({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const seen = new Set<string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!SINGLE.has(name)) continue
    if (seen.has(name)) throw new ApiError('BadRequest', `The header ${name} may appear only once`)
    seen.add(name)
  }
}

/** Answers requests that are not HTTP, too long or too slow with the error object, then closes the connection. */
export function answerProtocolErrors(limits: Limits, log: Logger) {
  return (error: Error, socket: Socket): void => {
    if (codeOf(error) === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const refusal = protocolError(error, limits.requestMilliseconds)
    log.info({ code: codeOf(error), status: refusal.status }, 'a request could not be read')
    socket.write(errorMessage(refusal))
    socket.destroySoon()
  }
}

function protocolError(error: Error, requestMilliseconds: number): ApiError {
  switch (codeOf(error)) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError(
        'BadRequest',
        `The request did not arrive within ${requestMilliseconds / 1000} seconds`,
      )
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('PayloadTooLarge', 'The request line and headers are too large')
    default:
      return new ApiError('BadRequest', 'The request is not valid HTTP')
  }
}

/** Error of a server that cannot listen, in one sentence. */
export function listenError(error: unknown, host: string, port: number): ListenError {
  const address = `${host}:${port}`
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new ListenError(
        `Port ${port} of ${host} is taken by another program: stop it, or choose another port.`,
      )
    case 'EACCES':
      return new ListenError(`No permission to listen on ${address}: choose a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ListenError(`${host} is not an address of this machine: choose one, such as 127.0.0.1.`)
    case 'ERR_SOCKET_BAD_PORT':
      return new ListenError(`${port} is not a port: choose one from 0 to 65535.`)
    default:
      return new ListenError(
        `Cannot listen on ${address} (${codeOf(error) ?? String(error)}): choose another address.`,
      )
  }
}
