import type { Agent } from 'undici'
import type { Reach } from './reach.js'

/** A request to a processor. */
export interface RailRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for the whole request; 30,000 by default. */
  readonly milliseconds?: number
}

export interface RailResponse {
  readonly kind: 'answered'
  readonly status: number
  /** Headers in lower case; the first value of a repeated one. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** A response; certainty that the request was not sent; or an unknown outcome. */
export type RailAnswer =
  | RailResponse
  | { readonly kind: 'not_sent'; readonly problem: string }
  | { readonly kind: 'unanswered'; readonly problem: string }

/** Requests over HTTP to processors. */
export interface RailClient {
  /** Sends a request. Never rejects, and follows no redirect. */
  send(request: RailRequest): Promise<RailAnswer>
  close(): Promise<void>
}

const MILLISECONDS = 30_000
/** The longest response that is read: 8 MiB. */
const MAX_BYTES = 8 * 1024 * 1024

/** Codes of errors that come before a request was written: no address, no connection in time, no agreement about TLS. */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|ERR_TLS_HANDSHAKE_TIMEOUT|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

/** Codes that occur while connecting, but also on an open connection, as a route may be lost after a request. */
const WHILE_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/

/** A client that connects only to addresses that may be reached; each is checked at the connection. */
export function openRailClient(reach: Reach): RailClient {
  let opening: Promise<Agent> | undefined
  const agentOf = () => {
    opening ??= import('./outgoing.js').then(({ guardedAgent }) => guardedAgent({ reach }))
    return opening
  }
  return {
    async send({ method, url, headers, body, milliseconds = MILLISECONDS }) {
      const agent = await agentOf()
      const signal = AbortSignal.timeout(milliseconds)
      const { origin, pathname, search } = new URL(url)
      try {
        const answer = await agent.request({
          origin,
          path: pathname + search,
          method,
          headers,
          signal,
          ...(body !== undefined && { body }),
        })
        const text = await wholeText(answer.body)
        if (text === undefined)
          return { kind: 'unanswered', problem: `The answer is longer than ${MAX_BYTES} bytes` }
        return {
          kind: 'answered',
          status: answer.statusCode,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [
              name,
              Array.isArray(value) ? value[0] : value,
            ]),
          ),
          body: text,
        }
      } catch (error) {
        if (signal.aborted) return { kind: 'unanswered', problem: `No answer within ${milliseconds} ms` }
        return failedAnswer(error)
      }
    },
    close: async () => await (await opening)?.destroy(),
  }
}

async function wholeText(body: AsyncIterable<unknown>): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue
    parts.push(Buffer.from(part))
    length += part.length
    if (length > MAX_BYTES) return undefined
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Result of a failed request: not sent, or unknown. An error of several addresses has those of each. */
export function failedAnswer(error: unknown): RailAnswer {
  const problem = error instanceof Error ? error.message : String(error)
  const causes = error instanceof AggregateError ? [...error.errors] : [error]
  const isBefore = causes.length > 0 && causes.every((cause) => isBeforeSending(cause))
  return { kind: isBefore ? 'not_sent' : 'unanswered', problem }
}

function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'Unreachable') return true
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (WHILE_CONNECTING.test(code)) return 'syscall' in error && error.syscall === 'connect'
  return BEFORE_SENDING.test(code) || (error.cause !== undefined && isBeforeSending(error.cause))
}
