import { codeOf } from '../../../platform/error-code.js'

/** Problem that keeps a command from using its database, in terms of what an operator can do about it. */
export type StoreProblem =
  | 'busy'
  | 'full'
  | 'too_slow'
  | 'abandoned'
  | 'commit_unknown'
  | 'disk_full'
  | 'read_only'
  | 'no_access'
  | 'missing'
  | 'no_library'
  | 'corrupt'
  | 'newer_version'
  | 'older_version'
  | 'other_layout'
  | 'unreachable'
  | 'refused'
  | 'key_missing'
  | 'key_exposed'
  | 'key_malformed'
  | 'key_foreign'
  | 'books_differ'

/** Error of a database or key that cannot be used. The message says how to proceed. */
export class StoreError extends Error {
  constructor(
    readonly problem: StoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'StoreError'
  }
}

/** Error for a list that takes too long. */
export function tooSlow(place = '', cause?: unknown): StoreError {
  return new StoreError(
    'too_slow',
    `The list took too long${place}: narrow it by a filter on an id or a date, or ask for less at once.`,
    { cause },
  )
}

/**
 * Problem of a file that could not be opened or created, from the error of the file system. Undefined for any
 * other error.
 */
export function fileProblem(error: unknown): 'missing' | 'no_access' | 'read_only' | 'disk_full' | undefined {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return 'missing'
    case 'EACCES':
    case 'EPERM':
      return 'no_access'
    case 'EROFS':
      return 'read_only'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'disk_full'
    default:
      return undefined
  }
}

/** Whether a statement failed because a unique value already exists, on either database. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error)
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** Whether a statement failed because of a CHECK constraint, on either database. */
export function isCheckViolation(error: unknown): boolean {
  const code = codeOf(error)
  return code === '23514' || code === 'SQLITE_CONSTRAINT_CHECK'
}
