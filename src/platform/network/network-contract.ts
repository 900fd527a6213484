/** Request over HTTP. Its target is sent as written, without normalizing. */
export interface HttpRequest {
  readonly method: string
  /** Scheme (`http:` or `https:`), host and port. */
  readonly origin: URL
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  /** Milliseconds until the whole answer must have arrived. */
  readonly patience: number
}

export interface HttpAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Requests to other machines. */
export interface Network {
  /** Sends a request. Throws a `NetworkError` if there is no answer. */
  ask(request: HttpRequest): Promise<HttpAnswer>
  close(): void
}

/**
 * Error of a request without an answer. `code` is the code of the system or of TLS; `ETIMEDOUT` if the
 * request took too long.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  constructor(
    readonly code: string,
    cause: unknown,
  ) {
    super(`No answer (${code})`, { cause })
  }
}
