import { Secret, TOTP } from 'otpauth'
import type { Work } from '../../../engine/core/write/work.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import type { Place } from '../../../engine/store/vault/vault.js'
import { resources } from '../../../resources/resource-table.js'

/**
 * Seconds for which a one-time code is shown, and the number of codes before and after it that are accepted, since
 * clocks differ.
 */
const PERIOD = 30
const WINDOW = 1
const SECRET_BYTES = 20
const ISSUER = 'payctl'

/**
 * Secret for one-time codes that a session offers, in base32. It is derived from the session's cookie and is not
 * stored.
 */
export function offeredKey({ vault }: Pick<Work, 'vault'>, cookie: string): string {
  const bytes = Buffer.from(vault.hash(cookie, 'second_factor'), 'base64url').subarray(0, SECRET_BYTES)
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32
}

/** Address with which an authenticator app imports a secret. */
export function keyAddress(key: string, label: string): string {
  return totpOf(key, label).toString()
}

/**
 * Number of the 30-second period that a one-time code is for; undefined for a wrong code. `now` is in milliseconds
 * since 1970.
 */
export function stepOfCode(key: string, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '')
  const delta = totpOf(key).validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta
}

/**
 * Whether a one-time code of an operator is right. Neither this code nor an earlier one is accepted again. The
 * operator's row must be locked.
 */
export async function takeCode(work: Work, operator: OperatorRow, code: string): Promise<boolean> {
  if (operator.sealed_totp === null) return false
  const key = work.vault.open(operator.sealed_totp, keyPlace(operator))
  const step = stepOfCode(key, code, work.realMilliseconds)
  if (step === undefined || step <= (operator.totp_step ?? 0)) return false
  await work.change(resources.operator, operator.id, { totp_step: step })
  return true
}

/** Columns that give an operator a secret for one-time codes. `step` is the period of the code that was used. */
export function keyColumns({ vault }: Work, operator: OperatorRow, key: string, step: number) {
  return { sealed_totp: vault.seal(key, keyPlace(operator)), has_second_factor: 1, totp_step: step }
}

function keyPlace({ id, email }: OperatorRow): Place {
  return { table: 'admin_operators', column: 'sealed_totp', id, boundTo: [email] }
}

function totpOf(key: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, period: PERIOD, secret: Secret.fromBase32(key) })
}
