import { maskCardNumbers } from '../../../schema/card-data.js'
import { ERRORS, type ErrorType } from '../../../schema/error-types.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import { isTree } from '../../../schema/types.js'

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

/** The most problems that an answer names, and the most characters of their names; how many more there are it says. */
const MAX_PROBLEMS = 1_000
const MAX_PROBLEM_CHARACTERS = 65_536

/** Validation problems; the description names the attributes in bracket form. */
export function invalidAttributes(details: JsonObject): ApiError {
  const paths = attributePaths(details)
  const shown = paths.slice(0, shownProblems(paths)).join(', ')
  const more = paths.length - shownProblems(paths)
  return new ApiError('InvalidAttributes', more > 0 ? `${shown} and ${more} more` : shown, details)
}

/** What is wrong, in one line: `{payment_method: 'Expired'}` is "payment_method: Expired". */
export function firstProblem({ description, details }: ApiError): string {
  const [first] = Object.entries(details)
  return first && typeof first[1] === 'string' ? `${first[0]}: ${first[1]}` : description
}

/** A method that a path does not take; `allowed` are those it takes. */
export function methodNotAllowed(path: string, allowed: readonly Method[]): ApiError {
  const headers = { Allow: allowed.join(', ') }
  return new ApiError('MethodNotAllowed', `${path} takes ${allowed.join(', ')} only`, {}, headers)
}

/** The request cannot be served now; the client may try again after so many seconds. */
export function unavailable(description: string, retryAfter: number, details: JsonObject = {}): ApiError {
  return new ApiError('ServiceUnavailable', description, details, { 'Retry-After': String(retryAfter) })
}

/** What a client may know of a database in trouble, and after how many seconds it may try again. */
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

/** What a client can do about a list that was given up. */
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

/** Names come from the client, and an answer is logged and kept by many: none repeats a card number. */
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

/** As many problems of the details as an answer may have. */
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

/** How many problems are named. */
function shownProblems(paths: readonly string[]): number {
  let characters = 0
  const end = paths.findIndex((path, index) => {
    characters += path.length
    return index === MAX_PROBLEMS || characters > MAX_PROBLEM_CHARACTERS
  })
  return end === -1 ? paths.length : end
}

/** `{card: {expiry: 'Required'}}` is `[card][expiry]`. */
function attributePaths(details: Json, prefix = ''): string[] {
  if (details === null || typeof details !== 'object') return [prefix]
  return Object.entries(details).flatMap(([name, inner]) => attributePaths(inner, `${prefix}[${name}]`))
}
