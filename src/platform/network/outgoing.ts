import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { isLoopbackAddress, mayReach, type Reach } from './reach.js'

/** A POST request to an address that a client has chosen. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How long it may take until the answer begins; what of the answer is read may take as long again. */
  readonly milliseconds: number
  /** How much of the answer's body is returned, in bytes (0 by default). */
  readonly bytes?: number
  /** Aborts the request. */
  readonly stopping?: AbortSignal
}

export interface OutgoingResponse {
  /** 0 when no answer came. */
  readonly status: number
  /** Whether it was sent to this machine itself. */
  readonly isLocal?: boolean
  /** Why no answer came, for the owner of the receiver. */
  readonly problem?: string
  /** The header `Retry-After`, unparsed. */
  readonly retryAfter?: string | undefined
  /** Up to the requested length. */
  readonly body: string
}

/** Requests over HTTP to hosts of clients. */
export interface Outgoing {
  /**
   * Sends a request, only to an address that may be reached, checked when the connection is made. A redirect is an answer
   * like any other and is not followed. Never rejects.
   */
  post(request: Post): Promise<OutgoingResponse>
  close(): Promise<void>
}

/** An address that may not be reached. */
class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Finds all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly { address: string; family: number }[]>

export interface OutgoingOptions {
  readonly reach: Reach
  readonly resolve?: Resolve
}

/** How many bytes of an unused body are read, so that its connection can be used again. */
const IDLE_BYTES = 16 * 1024
const TIMED_OUT = new Error('It took too long')
const CONNECT_MILLISECONDS = 10_000
const MAX_LOCAL_NAMES = 10_000

/** Each connection goes to an address that was checked: no name is resolved again between check and connection. */
export function openOutgoing({ reach, resolve = resolveAll }: OutgoingOptions): Outgoing {
  const local = new LocalNames()
  const resolveAndNote: Resolve = async (name) => {
    const found = await resolve(name)
    local.note(name, found)
    return found
  }
  const agent = guardedAgent({ reach, resolve: resolveAndNote })
  return {
    async post({ url, headers, body, milliseconds, bytes = 0, stopping }) {
      const controller = new AbortController()
      const abort = () => controller.abort()
      const timer = setTimeout(() => controller.abort(TIMED_OUT), milliseconds)
      stopping?.addEventListener('abort', abort)
      if (stopping?.aborted) abort()
      const { signal } = controller
      const { origin, pathname, search, hostname } = new URL(url)
      try {
        const answer = await agent.request({
          ...{ origin, path: pathname + search, method: 'POST', headers, body, signal },
        })
        const retryAfter = answer.headers['retry-after']
        return {
          status: answer.statusCode,
          isLocal: local.has(hostname),
          retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
          body: bytes > 0 ? await textOf(answer.body, bytes) : await discard(answer.body),
        }
      } catch (error) {
        const isLate = signal.reason === TIMED_OUT
        return {
          status: 0,
          isLocal: local.has(hostname),
          problem: isLate ? `No answer within ${milliseconds} ms` : reasonOf(error),
          body: '',
        }
      } finally {
        clearTimeout(timer)
        stopping?.removeEventListener('abort', abort)
      }
    },
    close: () => agent.destroy(),
  }
}

/** An agent that connects only to addresses that may be reached; each is checked when the connection is made. */
export function guardedAgent({ reach, resolve = resolveAll }: OutgoingOptions): Agent {
  return new Agent({ connect: connector(reach, resolve), headersTimeout: 0, bodyTimeout: 0 })
}

/** The names that were last resolved to this machine: a connection that is used again resolves nothing. */
class LocalNames {
  private readonly names = new LRUCache<string, true>({ max: MAX_LOCAL_NAMES })

  note(name: string, found: readonly { address: string }[]): void {
    if (found.some(({ address }) => isLoopbackAddress(address))) this.names.set(name, true)
    else this.names.delete(name)
  }

  /** `hostname` is that of a URL: IPv6 addresses have brackets. */
  has(hostname: string): boolean {
    return this.names.has(hostname) || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
  }
}

type Body = Awaited<ReturnType<Agent['request']>>['body']

/** The beginning of a body. */
async function textOf(body: Body, bytes: number): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    if (!(part instanceof Uint8Array)) continue
    parts.push(Buffer.from(part))
    length += part.length
    if (length >= bytes) break
  }
  return Buffer.concat(parts).subarray(0, bytes).toString('utf8')
}

/**
 * Reads a body that nobody needs, as the status alone counts. One that is longer, or does not end in time, ends the
 * connection.
 */
async function discard(body: Body): Promise<string> {
  await body.dump({ limit: IDLE_BYTES }).catch(() => undefined)
  return ''
}

function connector(reach: Reach, resolve: Resolve): buildConnector.connector {
  const lookup: LookupFunction = (name, _options, done) => {
    reachable(name, reach, resolve).then(
      (found) => done(null, found),
      (error: unknown) => done(error instanceof Error ? error : new Unreachable(String(error)), []),
    )
  }
  const connect = buildConnector({ timeout: CONNECT_MILLISECONDS, lookup, autoSelectFamily: true })
  return (options, done) => {
    // No lookup happens for an address, so it is checked here.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname, reach)) {
      done(new Unreachable(`${options.hostname} may not be reached`), null)
      return
    }
    connect(options, done)
  }
}

/** All addresses of a name. Throws `Unreachable` if one of them may not be reached. */
async function reachable(name: string, reach: Reach, resolve: Resolve) {
  const found = await resolve(name)
  if (found.length === 0) throw new Unreachable(`${name} has no address`)
  const refused = found.find(({ address }) => !mayReach(address, reach))
  if (refused) throw new Unreachable(`${name} resolves to ${refused.address}, which may not be reached`)
  return found.map(({ address, family }) => ({ address, family }))
}

async function resolveAll(name: string) {
  return await systemLookup(name, { all: true, verbatim: true })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Unreachable) return error.message
  const { cause } = error
  if (cause instanceof Unreachable) return cause.message
  if ('code' in error && typeof error.code === 'string') return `${error.code}: ${error.message}`
  return error.message
}
