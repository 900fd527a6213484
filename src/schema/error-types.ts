/** Error types with their HTTP status. Spec: "Errors"; docs/interface: "Errors". */
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

/** HTTP status of an error. */
export type ErrorStatus = (typeof ERRORS)[ErrorType]
