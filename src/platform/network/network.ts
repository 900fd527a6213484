import type { Agent, IncomingMessage } from 'node:http'
import { codeOf } from '../error-code.js'

/** A request over HTTP. Its target is sent as written, without normalizing. */
export interface HttpRequest {
  readonly method: string
  /** `http:` or `https:`, host and port. */
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
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** Requests to other machines. */
export interface Network {
  /** Throws a `NetworkError` when no answer comes. */
  ask(request: HttpRequest): Promise<HttpAnswer>
  close(): void
}

/**
 * Error of a request without an answer. `code` is that of the system or of TLS, `ETIMEDOUT` when it took too long.
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

/** Opens a network over HTTP, or HTTPS if `secure`. Connections are kept for the next request. */
export async function openNetwork(secure: boolean): Promise<Network> {
  const http = secure ? await import('node:https') : await import('node:http')
  const agent: Agent = new http.Agent({ keepAlive: true })
  const ask = async ({ origin, target, patience, body, ...rest }: HttpRequest): Promise<HttpAnswer> =>
    await new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(patience)
      const fail = (error: unknown) =>
        reject(new NetworkError(signal.aborted ? 'ETIMEDOUT' : (codeOf(error) ?? 'unknown'), error))
      const { protocol, hostname, port } = origin
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      http
        .request({ ...rest, protocol, host, port, path: target, agent, signal })
        .on('error', fail)
        .on('response', (response: IncomingMessage) => {
          answerOf(response).then(resolve, fail)
        })
        .end(body)
    })
  return { ask, close: () => agent.destroy() }
}

async function answerOf(response: IncomingMessage): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}
