import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.js'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import { IDEMPOTENCY_KEY, isIdempotencyKey } from '../../schema/idempotency-key.js'
import { METHODS } from '../../schema/resource.js'
import type { Limits } from './http-limits.js'
import { keyHolder } from './key-holder.js'
import { payingClient, type RateLimits } from './rate-limits.js'
import { bodyTooLarge, parseBody } from './request-body.js'
import { decodePath, parseQueryString, splitTarget } from './request-target.js'
import { send, unknownMethod, VERSION } from './send-answer.js'

const VERSION_NAMES = [VERSION, '1', 'v1.0']

interface HandlerDependencies {
  readonly app: App
  readonly limits: Limits
  readonly rates: RateLimits
}

/** Answers any request to the API: authenticates it, reads it, and calls the core. */
export function handler({ app, limits, rates }: HandlerDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    checkHost(request)
    checkVersion(request.headers['x-api-version'])
    const holder = await keyHolder(request, reply, { app, rates })
    const apiRequest = await readRequest(request, holder.principal, limits)
    const { core } = await app.environment(holder.environment)
    const response = await core.handle(apiRequest)
    if (apiRequest.dryRun) reply.header('preference-applied', 'dry-run')
    return send(reply, response.status, response.text ?? response.body, response.headers)
  }
}

/**
 * Checks for the Host header, which HTTP/1.1 requires; a refusal by Node would lack the error object. Throws
 * `BadRequest`.
 */
function checkHost(request: FastifyRequest): void {
  if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
    throw new ApiError('BadRequest', 'The Host header is missing')
  }
}

/** Throws `BadRequest` when a client requests another version of the API. */
function checkVersion(requested: string | readonly string[] | undefined): void {
  if (requested === undefined || VERSION_NAMES.some((name) => name === requested)) return
  throw new ApiError('BadRequest', `X-API-Version must be ${VERSION}`)
}

/**
 * Turns an HTTP request into an `ApiRequest`, which the core also gets from commands. Throws an `ApiError` for any part
 * that cannot be parsed.
 */
async function readRequest(
  request: FastifyRequest,
  principal: Principal,
  limits: Limits,
): Promise<ApiRequest> {
  const { headers, body } = request
  const requested = request.method === 'HEAD' ? 'GET' : request.method
  const method = METHODS.find((known) => known === requested)
  if (!method) throw unknownMethod(request.method)
  if (isEncoded(headers['content-encoding'])) {
    throw new ApiError('UnsupportedMediaType', 'The body must not be compressed')
  }
  if (principal.kind === 'client' && body instanceof Buffer && body.length > limits.clientBodyBytes) {
    throw bodyTooLarge(limits.clientBodyBytes)
  }
  const { path, search } = splitTarget(request.raw.url)
  return {
    method,
    path: decodePath(path),
    query: search === '' ? undefined : parseQueryString(search, limits.parameters),
    body: body instanceof Buffer ? await parseBody(headers['content-type'], body, limits) : undefined,
    through: 'http',
    requestId: request.id,
    principal: principal.kind === 'client' ? { ...principal, ...payingClient(request) } : principal,
    idempotencyKey: idempotencyKeyOf(headers['idempotency-key']),
    ...preferencesOf(headers.prefer),
    ...(method === 'GET' && { isAwaited: () => !request.raw.socket.destroyed }),
  }
}

function isEncoded(header: string | undefined): boolean {
  return header !== undefined && header.trim().toLowerCase() !== 'identity'
}

/** Reads the `Idempotency-Key` header. Throws `BadRequest` when it is empty, too long or not plain ASCII. */
function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header)
  if (isIdempotencyKey(key)) return key
  throw new ApiError('BadRequest', `Idempotency-Key must have ${IDEMPOTENCY_KEY}`)
}

/**
 * Reads the `Prefer` header: `dry-run`, `count=exact`, separated by commas. Other preferences are ignored, as RFC 7240
 * says.
 */
function preferencesOf(header: string | readonly string[] | undefined): Pick<ApiRequest, 'dryRun' | 'count'> {
  if (header === undefined) return {}
  const preferences = String(header)
    .split(/[,;]/)
    .map((token) => token.trim().toLowerCase().replaceAll('"', ''))
  return {
    ...(preferences.includes('dry-run') ? { dryRun: true } : {}),
    ...(preferences.includes('count=exact') ? { count: true } : {}),
  }
}
