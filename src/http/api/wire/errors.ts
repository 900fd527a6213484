import { ApiError, databaseUnavailable } from '../../../engine/core/request/errors.js'

/** A reason not to start, in one sentence that says what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** The refusal that an error of the HTTP layer means; anything unexpected is a 500 that shows nothing of it. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.name === 'StoreError') return databaseUnavailable()
  switch (codeOf(error)) {
    case 'FST_ERR_BAD_URL':
      return new ApiError('BadRequest', 'The address has malformed percent encoding')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('UnsupportedMediaType', 'The Content-Type header is not understood')
    case 'ECONNRESET':
      return new ApiError('BadRequest', 'The request ended too early')
    default:
      return new ApiError(
        'InternalServerError',
        'Something went wrong here; the request id finds it in the log',
      )
  }
}

/** What a request that is no HTTP, or does not arrive in time, is answered with. */
export function protocolError(error: Error, requestMilliseconds: number): ApiError {
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

/** Why a server cannot listen, in one sentence. */
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
      return new ListenError(`${host} is no address of this machine: choose one, such as 127.0.0.1.`)
    case 'ERR_SOCKET_BAD_PORT':
      return new ListenError(`${port} is no port: choose one from 0 to 65535.`)
    default:
      return new ListenError(
        `Cannot listen on ${address} (${codeOf(error) ?? String(error)}): choose another address.`,
      )
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
