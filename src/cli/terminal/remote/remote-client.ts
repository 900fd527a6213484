import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiResponse } from '../../../engine/core/request/request.js'
import { systemClock } from '../../../platform/clock.js'
import { timeOrderedIds } from '../../../platform/ids.js'
import { openNetwork } from '../../../platform/network/network.js'
import { type HttpAnswer, type Network, NetworkError } from '../../../platform/network/network-contract.js'
import { systemRandom } from '../../../platform/random.js'
import { parsedJson } from '../../../schema/json.js'
import type { Client, ClientRequest } from '../client/client.js'
import { UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import type { Variables } from '../input/platform-home.js'
import type { Settings } from '../profiles/settings.js'
import { LOCAL, proxiesFor, proxyNamed } from './proxies.js'
import { foreign, unreachable } from './remote-error.js'
import { bodyOf } from './sent-body.js'

/** A `payctl serve`, with options for its requests. */
export interface Remote {
  readonly server: string
  readonly key: string
  /** Milliseconds until the answer must be complete. */
  readonly patience: number
  /** Number of times that a request is sent again. */
  readonly retries: number
  /** Called with the reason before each wait. */
  readonly say: (text: string) => void
}

/** Effects of a remote client: network, waiting, and new keys. */
export interface ClientOptions {
  readonly network: Network
  pause(milliseconds: number): Promise<unknown>
  /** Makes a new idempotency key. */
  newKey(): string
}

/** First pause before a request is sent again, in milliseconds; each pause is twice as long as the previous one. */
const FIRST_PAUSE = 500
/** Longest wait that a server may request, in milliseconds; beyond this, the command fails. */
const LONGEST_PAUSE = 30_000

/**
 * Opens a client of a `payctl serve`. Requests that change data have an idempotency key, so that they can
 * be sent again if no answer came. `send` throws a `RemoteError` if no attempt is answered.
 */
export async function openRemoteClient(remote: Remote): Promise<Client> {
  const origin = new URL(remote.server)
  const network = await openNetwork(origin, proxiesFor(origin, process.env))
  const ids = timeOrderedIds(systemClock, systemRandom)
  return remoteClient(remote, { network, pause: wait, newKey: () => ids.next('idem_') })
}

/**
 * The server in the settings. Throws a `UsageError` if there is no key for it, or if a live key would be sent
 * unencrypted.
 */
export function remoteOf({ server, key, environment }: Settings, variables: Variables): Omit<Remote, 'say'> {
  if (!server) throw new Error('No server is named')
  if (!key)
    throw new UsageError(
      `Missing the key for ${server.value}: give --key-file, or PAYCTL_KEY, or save it in a profile`,
    )
  const { protocol, hostname } = new URL(server.value)
  if (environment.value === 'live' && protocol === 'http:' && !LOCAL.test(hostname))
    throw new UsageError(`A live key does not travel unencrypted: ${server.value} must begin with https://`)
  const { PAYCTL_TIMEOUT: seconds = '120', PAYCTL_RETRIES: retries = '4' } = variables
  return {
    server: server.value,
    key: key.value,
    patience: numberOf('PAYCTL_TIMEOUT', seconds) * 1000,
    retries: numberOf('PAYCTL_RETRIES', retries),
  }
}

function numberOf(variable: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new UsageError(`Expected a whole number in ${variable}, but received: ${text}`)
}

export function remoteClient(remote: Remote, { network, pause, newKey }: ClientOptions): Client {
  const { server, key, patience, retries, say } = remote
  const origin = new URL(server)
  const proxy = proxiesFor(origin, process.env) && proxyNamed(origin, process.env)

  const once = async (request: ClientRequest): Promise<ApiResponse | Waiting> => {
    const sent = request.body === undefined ? undefined : bodyOf(request.body, newKey)
    try {
      const answer = await network.ask({
        method: request.method,
        origin,
        target: targetOf(origin, request),
        headers: headersOf(request, key, sent?.type),
        body: sent?.content,
        patience,
      })
      return judged(server, answer)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const failure = unreachable(origin, { server, code: error.code, seconds: patience / 1000, proxy })
      return { failure, again: !LASTING.test(error.code) }
    }
  }

  return {
    async send(given) {
      const request = withKey(given, newKey)
      for (let left = retries, rest = FIRST_PAUSE; ; left--, rest *= 2) {
        const found = await once(request)
        const milliseconds = left > 0 ? pauseAfter(found, rest) : undefined
        if (milliseconds === undefined) return answered(found)
        say(`${reasonOf(found)} Trying again in ${Math.ceil(milliseconds / 1000)} s.`)
        await pause(milliseconds)
      }
    },
    async close() {
      network.close()
    },
  }
}

/** Path and query for HTTP. Each segment is encoded, so that the core sees exactly the same path as locally. */
function targetOf({ pathname }: URL, { path, query = [] }: ClientRequest): string {
  const segments = path.split('/').map(encodeURIComponent)
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const place = `${pathname.replace(/\/+$/, '')}/${segments.join('/').replace(/^\//, '')}`
  return pairs.length > 0 ? `${place}?${pairs.join('&')}` : place
}

function headersOf(
  { idempotencyKey, dryRun, count }: ClientRequest,
  key: string,
  type: string | undefined,
): Record<string, string> {
  const preferences = [dryRun && 'dry-run', count && 'count=exact'].filter(Boolean)
  return {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(type !== undefined && { 'content-type': type }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(preferences.length > 0 && { prefer: preferences.join(', ') }),
  }
}

/** Headers of the core, in its spelling. */
const HEADERS = ['Link', 'X-Total-Count', 'X-Truncated', 'Idempotent-Replay', 'Retry-After', 'Allow'] as const

/** The core's response in an HTTP answer; undefined if the answer is not from payctl. */
function responseOf({ status, headers, text }: HttpAnswer): ApiResponse | undefined {
  const body = headers['x-api-version'] === undefined ? undefined : parsedJson(text)
  if (!isObject(body)) return undefined
  const given = HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { status, body, headers: Object.fromEntries(given) }
}

/** A request that payctl did not answer. */
interface Waiting {
  readonly failure: Error
  /** Whether to send the request again. */
  readonly again: boolean
}

/** Matches codes of permanent errors, such as an unknown name or an untrusted certificate. */
const LASTING = /^(ENOTFOUND|EPROTO|ERR_.*|.*CERT.*|.*LEAF_SIGNATURE.*)$/

function judged(server: string, answer: HttpAnswer): ApiResponse | Waiting {
  return responseOf(answer) ?? { failure: foreign(server, answer), again: answer.status >= 500 }
}

function withKey(request: ClientRequest, newKey: () => string): ClientRequest {
  if (request.method === 'GET' || request.dryRun || request.idempotencyKey !== undefined) return request
  return { ...request, idempotencyKey: newKey() }
}

/** Milliseconds to wait before the request is sent again; undefined if that would not help. */
function pauseAfter(found: ApiResponse | Waiting, rest: number): number | undefined {
  if ('failure' in found) return found.again ? rest : undefined
  if (!isPassing(found)) return undefined
  const seconds = Number(found.headers['Retry-After'])
  const milliseconds = seconds > 0 ? seconds * 1000 : rest
  return milliseconds <= LONGEST_PAUSE ? milliseconds : undefined
}

/** Whether a later answer may differ: too many requests, maintenance, or the same request is still running. */
function isPassing({ status, headers }: ApiResponse): boolean {
  return status === 429 || status === 503 || (status === 409 && headers['Retry-After'] !== undefined)
}

function answered(found: ApiResponse | Waiting): ApiResponse {
  if ('failure' in found) throw found.failure
  return found
}

function reasonOf(found: ApiResponse | Waiting): string {
  return 'failure' in found ? found.failure.message : `${found.body.error_description}.`
}
