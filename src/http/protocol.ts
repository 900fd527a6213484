import type { Socket } from 'node:net'
import { errorMessage } from './api/wire/answer.js'
import { codeOf, protocolError } from './api/wire/errors.js'
import type { Limits } from './api/wire/limits.js'
import type { Logger } from './api/wire/log.js'

/** How the HTTP server is set up: the longest headers, the slowest client, and no route that was not asked for. */
export function httpOptions(limits: Limits) {
  const { requestMilliseconds, headerBytes, keepAliveMilliseconds } = limits
  return {
    exposeHeadRoutes: false,
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

/** Answers what is no HTTP, too long or too slow with the error object, then closes the connection. */
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
