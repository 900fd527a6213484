import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../engine/core/request/errors.js'
import type { Method } from '../../engine/core/request/method.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiRequest } from '../../engine/core/request/request.js'
import { parseBody } from './body/body.js'
import type { Limits } from './wire/limits.js'
import { idempotencyKeyOf, preferencesOf } from './wire/preferences.js'
import { decodePath, queryOf, splitTarget } from './wire/target.js'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly Method[]

/** The same request as a command would build it. Throws what cannot be read as an `ApiError`. */
export async function apiRequestOf(
  request: FastifyRequest,
  principal: Principal,
  limits: Limits,
): Promise<ApiRequest> {
  const { headers } = request
  const method = METHODS.find((known) => known === request.method)
  if (!method) throw methodNotAllowed(request.method)
  if (encoded(headers['content-encoding'])) {
    throw new ApiError('UnsupportedMediaType', 'The body must not be compressed')
  }
  const { path, search } = splitTarget(request.raw.url ?? '/')
  return {
    method,
    path: decodePath(path),
    query: queryOf(search, limits.parameters),
    body:
      request.body instanceof Buffer
        ? await parseBody(headers['content-type'], request.body, limits)
        : undefined,
    principal,
    idempotencyKey: idempotencyKeyOf(headers['idempotency-key']),
    ...preferencesOf(headers.prefer),
  }
}

export function methodNotAllowed(method: string): ApiError {
  const headers = { Allow: METHODS.join(', ') }
  return new ApiError('MethodNotAllowed', `${method} is not a method of this interface`, {}, headers)
}

function encoded(header: string | undefined): boolean {
  return header !== undefined && header.trim().toLowerCase() !== 'identity'
}
