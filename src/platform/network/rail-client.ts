import type { Agent, Dispatcher } from 'undici'
import type { Reach } from './reach.js'

/** Request to a processor. */
export interface RailRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole request, up to the last byte of its answer; 30,000 by default. */
  readonly milliseconds?: number
  /** Aborts the request. */
  readonly stopping?: AbortSignal
}

export interface RailResponse {
  readonly kind: 'answered'
  readonly status: number
  /** Headers with names in lower case; the first value of a repeated one. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** Length of the body in bytes. */
  readonly bytes: number
}

/** Response, certainty that the request was not sent, or an unknown outcome. */
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
/** Maximum bytes of a response: 2 MiB; pages of lists have less than 1 MiB. */
const MAX_BYTES = 2 * 1024 * 1024
/**
 * Maximum number of commas and opening brackets in a response, because JSON values take many times the
 * memory of their text. Pages of lists have less than 50,000.
 */
const MAX_VALUES = 100_000
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
/** Bytes that are allocated at first. */
const USUAL_BYTES = 16 * 1024

/**
 * Codes of errors before a request was written: no address, no connection in time, or no agreement on TLS.
 */
const BEFORE_SENDING =
  /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_\w+|ERR_TLS_HANDSHAKE_TIMEOUT|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

/**
 * Codes that occur while connecting, but also on an open connection, because a route may be lost after a
 * request.
 */
const WHILE_CONNECTING = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/

/** Opens a client that connects only to permitted addresses. Each is checked when the connection is made. */
export function openRailClient(reach: Reach): RailClient {
  let opening: Promise<Agent> | undefined
  const agentOf = () => {
    opening ??= import('./outgoing.js').then(({ guardedAgent }) => guardedAgent({ reach }))
    return opening
  }
  return {
    async send({ method, url, headers, body, milliseconds = MILLISECONDS, stopping }) {
      const agent = await agentOf()
      const deadline = AbortSignal.timeout(milliseconds)
      const signal = stopping ? AbortSignal.any([deadline, stopping]) : deadline
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
        return await responseIn(answer)
      } catch (error) {
        if (deadline.aborted) return { kind: 'unanswered', problem: `No answer within ${milliseconds} ms` }
        if (signal.aborted) return { kind: 'unanswered', problem: 'It was stopped' }
        return failedAnswer(error)
      }
    },
    close: async () => await (await opening)?.destroy(),
  }
}

async function responseIn({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<RailAnswer> {
  // No compression was requested; a few compressed bytes could expand to gigabytes.
  const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity'
  const whole = await wholeBody(body, isCompressed ? 0 : MAX_BYTES)
  if (!whole) {
    const problem = isCompressed ? 'compressed' : `longer than ${MAX_BYTES} bytes`
    return { kind: 'unanswered', problem: `The answer is ${problem}` }
  }
  if (whole.length > MAX_VALUES && valuesIn(whole) > MAX_VALUES)
    return { kind: 'unanswered', problem: `The answer has more than ${MAX_VALUES} values` }
  const text = whole.toString('utf8')
  return { kind: 'answered', status: statusCode, headers: firstOf(headers), body: text, bytes: whole.length }
}

function valuesIn(json: Buffer): number {
  let count = 0
  // By index: an iterator takes ten times as long.
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) count++
  }
  return count
}

function firstOf(headers: Readonly<Record<string, string | string[] | undefined>>): RailResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}

/**
 * Whole body; undefined if it is longer than `max`. Parts are copied into one buffer, because a body that
 * arrives byte by byte would otherwise take a hundred times its length.
 */
async function wholeBody(body: AsyncIterable<unknown>, max: number): Promise<Buffer | undefined> {
  let whole = Buffer.allocUnsafe(USUAL_BYTES)
  let length = 0
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue
    if (length + part.length > max) return undefined
    if (length + part.length > whole.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * whole.length, length + part.length))
      whole.copy(larger, 0, 0, length)
      whole = larger
    }
    whole.set(part, length)
    length += part.length
  }
  return whole.subarray(0, length)
}

/**
 * Result of a failed request: not sent, or unknown. For several addresses, the errors of all are examined.
 */
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
