import { codeOf } from '../../../platform/error-code.js'
import { isUniqueViolation, StoreError, tooSlow } from '../database/store-error.js'

/**
 * Explains an error of PostgreSQL or the network as a `StoreError` that says how to proceed; returns other
 * errors unchanged. `reason` is the part of the message that comes from PostgreSQL or the network.
 */
export function explainPostgresError(error: unknown, place: string, reason = reasonOf(error)): unknown {
  const code = codeOf(error) ?? ''
  if (UNREACHABLE.test(code) || lostConnection(error)) return unreachable(error, place, reason)
  if (/^(28...|3D000|42501)$/.test(code) || lacksPassword(error))
    return storeError(
      'refused',
      `PostgreSQL at ${place} refuses the user or the database (${reason}); fix PAYCTL_DATABASE_URL or grant access.`,
      error,
    )
  if (code === '53100')
    return storeError(
      'disk_full',
      `The disk of PostgreSQL at ${place} is full; free some space and try again.`,
      error,
    )
  if (code === '25006')
    return storeError(
      'read_only',
      `PostgreSQL at ${place} is read-only; name its primary server in PAYCTL_DATABASE_URL.`,
      error,
    )
  if (isConflict(error))
    return storeError('busy', `The database at ${place} is too busy with the same rows; try again.`, error)
  if (/^XX00[12]$/.test(code))
    return storeError('corrupt', `The database at ${place} is damaged; restore it from a backup.`, error)
  return error
}

/**
 * Codes of errors without a usable server: the network fails, or the server stops, starts, crashes, lacks
 * memory or ends the session.
 */
const UNREACHABLE =
  /^(E(CONN(REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|HOST(UNREACH|DOWN)|NET(UNREACH|DOWN|RESET)|PIPE|ADDRNOTAVAIL)|57P0.|57014|08...|53[0234]00|58000|25P0[34])$/

function unreachable(error: unknown, place: string, reason = reasonOf(error)): StoreError {
  return storeError(
    'unreachable',
    `PostgreSQL cannot be reached at ${place} (${reason}); start it or fix PAYCTL_DATABASE_URL.`,
    error,
  )
}

/**
 * Explains the error of a list whose statement was ended because it took too long; returns other errors
 * unchanged.
 */
export function explainSlowList(error: unknown, place: string): unknown {
  const code = error instanceof StoreError ? codeOf(error.cause) : undefined
  return code === '57014' ? tooSlow(` at ${place}`, error) : error
}

/**
 * Explains an error on a connection that was lost: whatever its code, the loss is the cause. The
 * transaction of the connection is not committed.
 */
export function explainLostConnection(error: unknown, place: string): StoreError {
  const known = explainPostgresError(error, place)
  return known instanceof StoreError ? known : unreachable(error, place)
}

/** Explains the loss of a connection during a commit, whose outcome is then unknown. */
export function explainLostCommit(error: unknown, place: string): StoreError {
  return storeError(
    'commit_unknown',
    `PostgreSQL at ${place} was lost during a commit: whether that was done is not known; see to the server, and look.`,
    error,
  )
}

/**
 * Explains why no connection could be made; the message says whether to fix the address or the server. The
 * secrets of the address are masked in the reason.
 */
export function explainConnecting(error: unknown, place: string, secrets: readonly string[]): StoreError {
  const reason = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error))
  const known = explainPostgresError(error, place, reason)
  if (known instanceof StoreError) return known
  return storeError(
    'refused',
    `PostgreSQL at ${place} cannot be used (${reason}); fix PAYCTL_DATABASE_URL or that server.`,
    error,
  )
}

/**
 * Whether a unit of work may run again after an error: a serialization failure, a deadlock or a row that
 * was locked for too long. Also after a unique violation in the first attempts: another unit of work has
 * inserted the same row, and the next attempt sees it.
 */
export function isConflict(error: unknown, attempt = ATTEMPTS_TO_SEE): boolean {
  if (attempt < ATTEMPTS_TO_SEE && isUniqueViolation(error)) return true
  return ['40001', '40P01', '55P03'].includes(codeOf(error) ?? '')
}
const ATTEMPTS_TO_SEE = 3

/**
 * Whether an error without a code has a message of the driver for a server that disconnected or never
 * answered.
 */
function lostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/.test(
      error.message,
    )
  )
}

/** Maximum characters of a reason in a message. */
const MAX_REASON = 500

/**
 * Reason in the words of PostgreSQL or the network, without characters that a terminal interprets. For several
 * errors, one per tried address, it has the reason of each.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(', ')
  if (lacksPassword(error)) return 'the server requires a password, and none is given'
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return line
    .replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
}

/** Whether an error without a code has the driver's message for a missing password. */
function lacksPassword(error: unknown): boolean {
  return error instanceof Error && /^SASL: .*client password must be/.test(error.message)
}

function storeError(problem: StoreError['problem'], message: string, cause: unknown): StoreError {
  return new StoreError(problem, message, { cause })
}
