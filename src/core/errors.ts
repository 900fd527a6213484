import type { Json, JsonObject } from './json.js'

/** The catalogue of errors: name on the wire, HTTP status. Spec: "Errors"; decisions: "Errors". */
export const ERRORS = {
  InvalidAttributes: 400,
  TransactionDeclined: 400,
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  IdempotencyMismatch: 422,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<string, number>

export type ErrorType = keyof typeof ERRORS

/** A refusal that a door renders. Thrown inside a unit of work, it rolls the work back. */
export class ApiError extends Error {
  readonly status: number
  constructor(
    readonly type: ErrorType,
    readonly description: string,
    readonly details: JsonObject = {},
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
