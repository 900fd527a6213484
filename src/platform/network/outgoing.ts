import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { isLoopbackAddress, mayReach, type Reach } from './reach.js'

/** A request to an address that a client has chosen. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How long it may take until the answer begins; what of the answer is read may take as long again. */
  readonly milliseconds: number
  /** How much of the answer's body is handed over, in bytes; none unless given. More than that is never read. */
  readonly bytes?: number
  /** Cuts it off. */
  readonly stopping?: AbortSignal
}

export interface OutgoingResponse {
  /** 0: none came. */
  readonly status: number
  /** Whether it was sent to this machine itself. */
  readonly isLocal?: boolean
  /** Why none came, for the owner of the receiver. */
  readonly problem?: string
  /** The header `Retry-After`, as it came. */
  readonly retryAfter?: string | undefined
  /** Up to the requested length. */
  readonly body: string
}

/** Requests over HTTP to hosts that are not ours. */
export interface Outgoing {
  /**
   * Sends it, to an address that may be reached and that was looked at when the connection was made; a redirect is
   * an answer like any other and is not followed. Never rejects.
   */
  post(request: Post): Promise<OutgoingResponse>
  close(): Promise<void>
}

/** An address that may not be reached. */
class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Answers all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly { address: string; family: number }[]>

export interface OutgoingOptions {
  readonly reach: Reach
  readonly resolve?: Resolve
}

/** How much of an unused body is read, so that its connection can be used again. */
const IDLE_BYTES = 16 * 1024
const TIMED_OUT = new Error('It took too long')
const CONNECT_MILLISECONDS = 10_000
const MAX_LOCAL_NAMES = 10_000

/** Each connection goes to an address that was checked; nothing is looked up again between check and connection. */
export function openOutgoing({ reach, resolve = resolveAll }: OutgoingOptions): Outgoing {
  const local = new LocalNames()
  const looked: Resolve = async (name) => {
    const found = await resolve(name)
    local.note(name, found)
    return found
  }
  const agent = guardedAgent({ reach, resolve: looked })
  return {
    async post({ url, headers, body, milliseconds, bytes = 0, stopping }) {
      const late = new AbortController()
      const cut = () => late.abort()
      const timer = setTimeout(() => late.abort(TIMED_OUT), milliseconds)
      stopping?.addEventListener('abort', cut)
      if (stopping?.aborted) cut()
      const { signal } = late
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
          body: bytes > 0 ? await textOf(answer.body, bytes) : await passOver(answer.body),
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
        stopping?.removeEventListener('abort', cut)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Connects to addresses that may be reached only; each is looked at when the connection is made. */
export function guardedAgent({ reach, resolve = resolveAll }: OutgoingOptions): Agent {
  return new Agent({ connect: connector(reach, resolve), headersTimeout: 0, bodyTimeout: 0 })
}

/** The names that led to this machine when they were looked up last: connections are used again without looking. */
class LocalNames {
  private readonly names = new LRUCache<string, true>({ max: MAX_LOCAL_NAMES })

  note(name: string, found: readonly { address: string }[]): void {
    if (found.some(({ address }) => isLoopbackAddress(address))) this.names.set(name, true)
    else this.names.delete(name)
  }

  /** Of a host as a URL writes it. */
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
 * The status has come, and it alone counts: whatever becomes of the body. A longer one ends the connection, and so does
 * one that does not end in time.
 */
async function passOver(body: Body): Promise<string> {
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
    // Addresses are connected to without being looked up.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname, reach)) {
      done(new Unreachable(`${options.hostname} may not be reached`), null)
      return
    }
    connect(options, done)
  }
}

/** All addresses of a name; one among them that may not be reached is reason enough to reach none. */
async function reachable(name: string, reach: Reach, resolve: Resolve) {
  const found = await resolve(name)
  if (found.length === 0) throw new Unreachable(`${name} has no address`)
  const refused = found.find(({ address }) => !mayReach(address, reach))
  if (refused) throw new Unreachable(`${name} leads to ${refused.address}, which may not be reached`)
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
