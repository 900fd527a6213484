import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_PATHS } from '../../domain/access/keys/created.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import { parsePath } from '../../engine/core/request/route.js'
import { decodePath, splitTarget } from './request-target.js'
import { unknownMethod } from './send-answer.js'

/** Request headers that a page of another site may send, and answer headers that such a page may read. */
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key'
const EXPOSED_HEADERS =
  'Idempotent-Replay, Link, RateLimit, RateLimit-Policy, Retry-After, X-API-Version, X-Request-Id, X-Total-Count, X-Truncated'

/** Seconds for which a browser keeps the answer to a preflight. */
const MAX_AGE = '600'

/**
 * Answers the CORS preflights that browsers send for pages of other sites. A preflight has no key, so path and method
 * alone decide: only calls that client keys may make are allowed. See docs/interface.md, "Requests and answers".
 */
export function servePreflights(server: FastifyInstance): void {
  server.options('*', (request, reply) => {
    const requested = request.headers['access-control-request-method']
    if (request.headers.origin === undefined || requested === undefined) throw unknownMethod(request.method)
    reply.header('vary', 'Origin, Access-Control-Request-Method')
    if (isOpenToPages(request, requested))
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': requested,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': MAX_AGE,
      })
    return reply.code(204).send()
  })
}

/**
 * Lets pages of other sites read the answers to calls that client keys may make, refusals included. Cookies are never
 * read.
 */
export function allowPages(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.origin === undefined || !isOpenToPages(request, request.method)) return
  reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS })
}

/**
 * Refuses a secret key in a page of another site. Refuses a client key in a page whose origin the key does not list.
 * Pages of the service itself pass: inside another page, the browser has checked the origin of that page. Throws
 * `Forbidden`.
 */
export function refuseFromPages(
  request: FastifyRequest,
  { kind, origins }: Pick<Principal, 'kind' | 'origins'>,
): void {
  const { origin } = request.headers
  if (!isFromAnotherSite(request)) return
  if (origin !== undefined && origins?.includes(origin) === false)
    throw new ApiError('Forbidden', 'The client key is not for pages of this origin')
  if (kind === 'client') return
  throw new ApiError(
    'Forbidden',
    'A secret key must not be used in a page of another site: use a client key there (POST /access_tokens)',
  )
}

/** Whether a page of another site sends a request: browsers name its origin in `Origin`, which pages cannot change. */
export function isFromAnotherSite({ headers: { origin }, host }: FastifyRequest): boolean {
  return origin !== undefined && URL.parse(origin)?.host !== host
}

function isOpenToPages(request: FastifyRequest, method: string): boolean {
  const { joined } = parsePath(decodePath(splitTarget(request.raw.url).path))
  return method === 'POST' && PAGE_PATHS.some((path) => path === joined)
}
