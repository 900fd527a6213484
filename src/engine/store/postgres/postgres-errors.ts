import { codeOf } from '../../../platform/error-code.js'
import { isUniqueViolation, StoreError, tooSlow } from '../database/store-error.js'

/** An error of PostgreSQL or of the network as what to do about it; any other error as it is. */
export function explainPostgresError(error: unknown, place: string): unknown {
  const code = codeOf(error) ?? ''
  if (UNREACHABLE.test(code) || lostConnection(error)) return unreachable(error, place)
  if (/^(28...|3D000|42501)$/.test(code) || lacksPassword(error))
    return storeError(
      'refused',
      `PostgreSQL at ${place} refuses the user or the database; fix PAYCTL_DATABASE_URL or grant access.`,
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
 * Of a network that fails, and of a server that stops, starts, crashes, has too little memory, or ends what a connection
 * does.
 */
const UNREACHABLE =
  /^(E(CONN(REFUSED|RESET|ABORTED)|NOTFOUND|AI_AGAIN|TIMEDOUT|HOST(UNREACH|DOWN)|NET(UNREACH|DOWN|RESET)|PIPE|ADDRNOTAVAIL)|57P0.|57014|08...|53[0234]00|58000|25P0[34])$/

function unreachable(error: unknown, place: string): StoreError {
  return storeError(
    'unreachable',
    `PostgreSQL cannot be reached at ${place}; start it or fix PAYCTL_DATABASE_URL.`,
    error,
  )
}

/** The same of a list, whose statement was ended because it took too long. */
export function explainSlowList(error: unknown, place: string): unknown {
  const code = error instanceof StoreError ? codeOf(error.cause) : undefined
  return code === '57014' ? tooSlow(` at ${place}`, error) : error
}

/**
 * What goes wrong on a connection that is gone afterwards went wrong because of that, whatever it is: nothing of its
 * unit of work is committed.
 */
export function explainLostConnection(error: unknown, place: string): StoreError {
  const known = explainPostgresError(error, place)
  return known instanceof StoreError ? known : unreachable(error, place)
}

/** The connection was lost while a commit was under way: nobody knows whether that was done. */
export function explainLostCommit(error: unknown, place: string): StoreError {
  return storeError(
    'commit_unknown',
    `PostgreSQL at ${place} was lost during a commit: whether that was done is not known; see to the server, and look.`,
    error,
  )
}

/** Why no connection could be made, with what to fix: the address or the server. */
export function explainConnecting(error: unknown, place: string): StoreError {
  const known = explainPostgresError(error, place)
  if (known instanceof StoreError) return known
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return storeError(
    'refused',
    `PostgreSQL at ${place} cannot be used (${reason}); fix PAYCTL_DATABASE_URL or that server.`,
    error,
  )
}

/**
 * A serialization failure, a deadlock, a row that was locked for too long: the unit of work may run again. So may one that
 * made what must be there once, when another one had just done so: it is seen the next time.
 */
export function isConflict(error: unknown, attempt = ATTEMPTS_TO_SEE): boolean {
  if (attempt < ATTEMPTS_TO_SEE && isUniqueViolation(error)) return true
  return ['40001', '40P01', '55P03'].includes(codeOf(error) ?? '')
}
const ATTEMPTS_TO_SEE = 3

/** What the driver says, without a code, when the server goes away or never answers. */
function lostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after)/.test(
      error.message,
    )
  )
}

/** What the driver says, without a code, when the server needs a password and the address has none. */
function lacksPassword(error: unknown): boolean {
  return error instanceof Error && /^SASL: .*client password must be/.test(error.message)
}

function storeError(problem: StoreError['problem'], message: string, cause: unknown): StoreError {
  return new StoreError(problem, message, { cause })
}
