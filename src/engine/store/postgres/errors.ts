import { codeOf } from '../../../platform/error-code.js'
import { StoreError } from '../database/errors.js'

/** An error of PostgreSQL or of the network as what to do about it; any other error as it is. */
export function explainPostgresError(error: unknown, place: string): unknown {
  const code = codeOf(error) ?? ''
  if (
    /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|57P0[123]|08...|53300)$/.test(
      code,
    ) ||
    lostConnection(error)
  )
    return storeError(
      'unreachable',
      `PostgreSQL cannot be reached at ${place}; start it or mend PAYCTL_DATABASE_URL.`,
      error,
    )
  if (/^(28...|3D000|42501)$/.test(code) || lacksPassword(error))
    return storeError(
      'refused',
      `PostgreSQL at ${place} refuses the user or the database; mend PAYCTL_DATABASE_URL or grant access.`,
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
  if (isConflict(error) || code === '55P03')
    return storeError('busy', `The database at ${place} is too busy with the same rows; try again.`, error)
  if (/^XX00[12]$/.test(code))
    return storeError('corrupt', `The database at ${place} is damaged; restore it from a backup.`, error)
  return error
}

/** Why no connection came about: whatever it is, the address or the server has to be mended. */
export function explainConnecting(error: unknown, place: string): StoreError {
  const known = explainPostgresError(error, place)
  if (known instanceof StoreError) return known
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return storeError(
    'refused',
    `PostgreSQL at ${place} cannot be used (${reason}); mend PAYCTL_DATABASE_URL or that server.`,
    error,
  )
}

/** A serialization failure or deadlock: the unit of work may run again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** What the driver says, without a code, when the server goes away or never answers. */
function lostConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}

/** What the driver says, without a code, when the server needs a password and the address has none. */
function lacksPassword(error: unknown): boolean {
  return error instanceof Error && /^SASL: .*client password must be/.test(error.message)
}

function storeError(problem: StoreError['problem'], message: string, cause: unknown): StoreError {
  return new StoreError(problem, message, { cause })
}
