import { ERRORS, type ErrorType } from '../../../schema/errors.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'

/** A refusal that an adapter renders. Thrown inside a unit of work, it rolls the work back. */
export class ApiError extends Error {
  readonly status: number
  constructor(
    readonly type: ErrorType,
    readonly description: string,
    readonly details: JsonObject = {},
    /** Headers of the response: `Allow`, `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${type}: ${description}`)
    this.name = 'ApiError'
    this.status = ERRORS[type]
  }
}

/** Validation problems; the description names every attribute in bracket form. */
export function invalidAttributes(details: JsonObject): ApiError {
  return new ApiError('InvalidAttributes', attributePaths(details).join(', '), details)
}

/** A method that a path does not take; `allowed` are those it takes. */
export function methodNotAllowed(path: string, allowed: readonly Method[]): ApiError {
  const headers = { Allow: allowed.join(', ') }
  return new ApiError('MethodNotAllowed', `${path} takes ${allowed.join(', ')} only`, {}, headers)
}

/** The request cannot be served now; the client may try again after so many seconds. */
export function unavailable(description: string, retryAfter: number): ApiError {
  return new ApiError('ServiceUnavailable', description, {}, { 'Retry-After': String(retryAfter) })
}

/** What a client may know of a database in trouble. */
export function databaseUnavailable(): ApiError {
  return unavailable('The service cannot reach its database now; nothing was changed', 5)
}

export function errorBody(error: ApiError): JsonObject {
  return {
    object: 'error',
    error_type: error.type,
    error_description: error.description,
    details: error.details,
  }
}

/** `{card: {expiry: 'Required'}}` is `[card][expiry]`. */
function attributePaths(details: Json, prefix = ''): string[] {
  if (details === null || typeof details !== 'object') return [prefix]
  return Object.entries(details).flatMap(([name, inner]) => attributePaths(inner, `${prefix}[${name}]`))
}
