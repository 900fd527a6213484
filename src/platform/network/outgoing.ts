import { isIP, type LookupFunction } from 'node:net'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector } from 'undici'
import { PostExchange } from './post-exchange.js'
import { isLoopbackAddress, mayReach, type Reach } from './reach.js'
import { type Resolve, reachable, resolveAll, Unreachable } from './reachable.js'

/** POST request to an address that a client has chosen. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Maximum milliseconds of the request. An answer that began in time counts if its body is not read. */
  readonly milliseconds: number
  /** Bytes of the answer's body that are returned (0 by default). */
  readonly bytes?: number
  /** Aborts the request. */
  readonly stopping?: AbortSignal
}

export interface OutgoingResponse {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** Whether the request was sent to this machine itself. */
  readonly isLocal?: boolean
  /**
   * Whether the request was not sent, because its address may not be reached; `problem` names that address.
   */
  readonly isRefused?: boolean
  /** Reason why there was no answer, for the owner of the receiver. */
  readonly problem?: string
  /** Header `Retry-After`, unparsed. */
  readonly retryAfter?: string | undefined
  /** Body of the answer, up to the requested length. */
  readonly body: string
}

/** Requests over HTTP to hosts of clients. */
export interface Outgoing {
  /**
   * Sends a request. Only permitted addresses are reached; the address is checked when the connection is
   * made. A redirect is an answer like any other and is not followed. Never rejects.
   */
  post(request: Post): Promise<OutgoingResponse>
  close(): Promise<void>
}

export interface OutgoingOptions {
  readonly reach: Reach
  readonly resolve?: Resolve
}

const CONNECT_MILLISECONDS = 10_000
const MAX_LOCAL_NAMES = 10_000
/** Maximum number of parsed addresses in the cache. */
const MAX_TARGETS = 10_000

/**
 * Opens outgoing requests. Each connection uses the address that was checked; the name is not resolved
 * again in between.
 */
export function openOutgoing({ reach, resolve = resolveAll }: OutgoingOptions): Outgoing {
  const local = new LocalNames()
  const targets = new LRUCache<string, Target>({ max: MAX_TARGETS, memoMethod: targetOf })
  const underWay = new UnderWay()
  const resolveAndNote: Resolve = async (name) => {
    const found = await resolve(name)
    local.note(name, found)
    return found
  }
  const agent = guardedAgent({ reach, resolve: resolveAndNote })
  return {
    post: async ({ url, headers, body, milliseconds, bytes = 0, stopping }) =>
      await new Promise((resolve) => {
        const { hostname, isLoopback, origin, path } = targets.memo(url)
        const leave = stopping && underWay.enter(stopping, () => exchange.end(STOPPED))
        const exchange = new PostExchange({ milliseconds, bytes }, (exchanged) => {
          leave?.()
          const isLocal = isLoopback || local.has(hostname)
          if (!('error' in exchanged)) resolve({ ...exchanged, isLocal })
          else {
            const refusal = refusalIn(exchanged.error)
            const problem = refusal?.message ?? reasonOf(exchanged.error)
            resolve({ status: 0, isLocal, isRefused: refusal !== undefined, problem, body: '' })
          }
        })
        if (stopping?.aborted) exchange.end(STOPPED)
        else agent.dispatch({ origin, path, method: 'POST', headers, body }, exchange)
      }),
    close: () => agent.destroy(),
  }
}

const STOPPED = new Error('It was stopped')

/** Parsed destination of an address. */
interface Target {
  readonly origin: string
  readonly path: string
  readonly hostname: string
  /** Whether the address is written as a loopback address. */
  readonly isLoopback: boolean
}

function targetOf(url: string): Target {
  const { origin, pathname, search, hostname } = new URL(url)
  // IPv6 addresses have brackets.
  const isLoopback = isLoopbackAddress(hostname.replace(/^\[|\]$/g, ''))
  return { origin, path: pathname + search, hostname, isLoopback }
}

/** Requests that must end when a signal is aborted. One listener per signal serves all its requests. */
class UnderWay {
  private readonly bySignal = new WeakMap<AbortSignal, Set<() => void>>()

  /** Adds a function that is called when the signal is aborted. Returns a function that removes it. */
  enter(signal: AbortSignal, end: () => void): () => void {
    const all = this.bySignal.get(signal) ?? this.listen(signal)
    all.add(end)
    return () => all.delete(end)
  }

  private listen(signal: AbortSignal): Set<() => void> {
    const all = new Set<() => void>()
    signal.addEventListener('abort', () => {
      for (const end of [...all]) end()
    })
    this.bySignal.set(signal, all)
    return all
  }
}

/** Makes an agent that connects only to permitted addresses. Each is checked when the connection is made. */
export function guardedAgent({ reach, resolve = resolveAll }: OutgoingOptions): Agent {
  return new Agent({ connect: connector(reach, resolve), headersTimeout: 0, bodyTimeout: 0 })
}

/**
 * Names whose last resolution gave this machine. They are kept, because a reused connection does not resolve
 * its name.
 */
class LocalNames {
  private readonly names = new LRUCache<string, true>({ max: MAX_LOCAL_NAMES })

  note(name: string, found: readonly { address: string }[]): void {
    if (found.some(({ address }) => isLoopbackAddress(address))) this.names.set(name, true)
    else this.names.delete(name)
  }

  has(name: string): boolean {
    return this.names.has(name)
  }
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
    // An IP address needs no look-up, so it is checked here.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname, reach)) {
      done(new Unreachable(`${options.hostname} may not be reached`), null)
      return
    }
    connect(options, done)
  }
}

function refusalIn(error: Error): Unreachable | undefined {
  if (error instanceof Unreachable) return error
  return error.cause instanceof Unreachable ? error.cause : undefined
}

function reasonOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return `${error.code}: ${error.message}`
  return error.message
}
