import { Stripe } from 'stripe'
import type { RailAnswer, RailClient, RailRequest } from '../../platform/network/rail-client.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Credentials } from '../contract.js'

/** Version of Stripe's API that every request names. It overrides the version that is set for the account. */
export const STRIPE_VERSION = '2026-10-28.endive'

/** Error of a request that certainly did not reach Stripe. */
export class NeverArrived extends Error {
  override readonly name = 'NeverArrived'
}

const API = 'https://api.stripe.com'
/** Host for uploads. With a configured base address, uploads go to that address instead. */
const FILES = 'files.stripe.com'

/**
 * Headers that are not forwarded: those in which the library describes this machine, and the length, which our client
 * sets.
 */
const OF_THE_MACHINE = /^(x-stripe-client-|content-length$)/i

/**
 * Stripe's library, with our HTTP client. It sends no telemetry and no facts about this machine. It does not retry,
 * because it cannot know the outcome of an unanswered request.
 */
export function stripeClient(http: RailClient, { baseUrl, secrets, merchant }: Credentials): Stripe {
  return new Stripe(secrets['secret_key'] ?? '', {
    apiVersion: STRIPE_VERSION,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: guardedHttp(http, baseUrl),
    ...(merchant !== undefined && { stripeAccount: merchant }),
  })
}

function guardedHttp(http: RailClient, baseUrl: string): Stripe.HttpClient {
  return {
    getClientName: () => 'payctl',
    async makeRequest(...call) {
      const [host, , path, method, headers] = call
      // The library declares the body as a string, but it passes bytes for a file.
      const body: unknown = call[5]
      const answer = await http.send({
        url: (host === FILES && baseUrl === API ? `https://${FILES}` : baseUrl) + path,
        method: methodOf(method),
        headers: Object.fromEntries(
          Object.entries(headers)
            .filter(([name]) => !OF_THE_MACHINE.test(name))
            .map(([name, value]) => [name.toLowerCase(), String(value)]),
        ),
        ...(body instanceof Uint8Array ? { body } : body !== '' && { body: String(body) }),
      })
      return responseOf(answer, method)
    },
  }
}

/**
 * Converts an answer for the library. Throws `NeverArrived` if the request was not sent. Throws an error that the
 * library handles as a broken connection if there is no answer.
 */
function responseOf(answer: RailAnswer, method: string): Stripe.HttpClientResponse {
  if (answer.kind === 'not_sent') throw new NeverArrived(answer.problem)
  if (answer.kind === 'unanswered') throw new Error(answer.problem)
  const { 'request-id': requestId = '', 'retry-after': retryAfter } = answer.headers
  return {
    getStatusCode: () => answer.status,
    getHeaders: () => ({
      'request-id': requestId,
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    }),
    getRawResponse: () => ({}),
    toStream: () => {
      throw new Error('Nothing is streamed from Stripe')
    },
    toJSON: async () => {
      const body = parsedJson(answer.body)
      if (!isTree(body)) throw new Error('Stripe answers no object')
      if (method === 'GET') expectList(body)
      return body
    },
  }
}

/**
 * Throws an error for an answer that is not a valid list, although the library would iterate over it.
 * Otherwise an operation that is missing in this answer would count as never seen.
 */
function expectList({ data, object, has_more: hasMore }: Input): void {
  const isGoneThrough =
    typeof data === 'string' || (typeof data === 'object' && data !== null && 'length' in data)
  if (!isGoneThrough) return
  const isList = (object === 'list' || object === 'search_result') && typeof hasMore === 'boolean'
  if (!isList || !Array.isArray(data)) throw new Error('Stripe answers no list')
}

function methodOf(method: string): RailRequest['method'] {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw new Error(`Stripe's library sends ${method}`)
}
