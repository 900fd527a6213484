import { maskCardNumbers } from '../../../schema/card-data.js'
import { ERRORS, type ErrorType } from '../../../schema/error-types.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import { isTree } from '../../../schema/types.js'

/** Refusal that an adapter renders. If it is thrown inside a unit of work, the changes are rolled back. */
export class ApiError extends Error {
  readonly status: number
  constructor(
    readonly type: ErrorType,
    readonly description: string,
    readonly details: JsonObject = {},
    /** Headers of the response, such as `Allow` or `Retry-After`. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${type}: ${description}`)
    this.name = 'ApiError'
    this.status = ERRORS[type]
  }
}

/**
 * Maximum number of problems in an answer, and maximum number of characters in the names of these problems.
 * The answer says how many problems are left out.
 */
const MAX_PROBLEMS = 1_000
const MAX_PROBLEM_CHARACTERS = 65_536

/** Error for validation problems. Its description names the attributes in bracket form. */
export function invalidAttributes(details: JsonObject): ApiError {
  const paths = attributePaths(details)
  const shown = paths.slice(0, shownProblems(paths)).join(', ')
  const more = paths.length - shownProblems(paths)
  return new ApiError('InvalidAttributes', more > 0 ? `${shown} and ${more} more` : shown, details)
}

/** First problem of an error in one line: `{payment_method: 'Expired'}` becomes "payment_method: Expired". */
export function firstProblem({ description, details }: ApiError): string {
  const [first] = Object.entries(details)
  return first && typeof first[1] === 'string' ? `${first[0]}: ${first[1]}` : description
}

/** Error for a method that a path does not support; `allowed` are those that it supports. */
export function methodNotAllowed(path: string, allowed: readonly Method[]): ApiError {
  const headers = { Allow: allowed.join(', ') }
  return new ApiError('MethodNotAllowed', `${path} takes ${allowed.join(', ')} only`, {}, headers)
}

/** Error for a request that cannot be served now. The client may try again after `retryAfter` seconds. */
export function unavailable(description: string, retryAfter: number, details: JsonObject = {}): ApiError {
  return new ApiError('ServiceUnavailable', description, details, { 'Retry-After': String(retryAfter) })
}

/** Error for a problem of the database. It tells the client only whether and when to try again. */
export function databaseUnavailable(problem?: unknown): ApiError {
  switch (problem) {
    case 'busy':
      return unavailable('Others work on the same objects; nothing was changed', 1)
    case 'full':
      return unavailable('Too many requests wait for the database; nothing was changed', 1)
    case 'too_slow':
      return unavailable(LIST_TOO_SLOW, 5)
    case 'commit_unknown':
      return unavailable(
        'The database was lost while it stored this: ask again under the same idempotency key, or look whether it was done',
        5,
      )
    default:
      return unavailable('The service cannot reach its database now; nothing was changed', 5)
  }
}

/** Message for a list that took too long, with the remedy. */
export const LIST_TOO_SLOW =
  'The list took too long: narrow it by a filter on an id or a date, or ask for less at once'

export function errorBody(error: ApiError): JsonObject {
  return {
    object: 'error',
    error_type: error.type,
    error_description: maskCardNumbers(error.description),
    details: withoutCardNumbers(shownDetails(error.details)),
  }
}

/**
 * Details without card numbers. Names come from the client, and answers are logged and stored in many
 * places.
 */
function withoutCardNumbers(details: JsonObject): JsonObject {
  const isClean = maskCardNumbers(JSON.stringify(details)) === JSON.stringify(details)
  return isClean ? details : masked(details)
}

function masked(details: JsonObject): JsonObject {
  const maskedValue = (value: Json): Json => {
    if (typeof value === 'string') return maskCardNumbers(value)
    return isTree(value) ? masked(value) : value
  }
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [maskCardNumbers(name), maskedValue(value)]),
  )
}

/** Details with as many problems as an answer may contain. */
function shownDetails(details: JsonObject): JsonObject {
  const paths = attributePaths(details)
  let left = shownProblems(paths)
  if (left === paths.length) return details
  const shown = (inner: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(inner).flatMap(([name, value]): [string, Json][] => {
        if (left === 0) return []
        if (isTree(value)) return [[name, shown(value)]]
        left--
        return [[name, value]]
      }),
    )
  return shown(details)
}

/** Number of problems that are shown. */
function shownProblems(paths: readonly string[]): number {
  let characters = 0
  const end = paths.findIndex((path, index) => {
    characters += path.length
    return index === MAX_PROBLEMS || characters > MAX_PROBLEM_CHARACTERS
  })
  return end === -1 ? paths.length : end
}

/** Paths of the problems in bracket form: `{card: {expiry: 'Required'}}` gives `[card][expiry]`. */
function attributePaths(details: Json, prefix = ''): string[] {
  if (details === null || typeof details !== 'object') return [prefix]
  return Object.entries(details).flatMap(([name, inner]) => attributePaths(inner, `${prefix}[${name}]`))
}
