import { Secret, TOTP } from 'otpauth'
import type { Work } from '../../../engine/core/write/work.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import type { Place } from '../../../engine/store/vault/vault.js'
import { resources } from '../../../resources/resource-table.js'

/** Seconds for which a code is shown, and codes before and after it that are taken, for clocks that differ. */
const PERIOD = 30
const WINDOW = 1
const SECRET_BYTES = 20
const ISSUER = 'payctl'

/** The key of one-time codes that a session offers: base32. It follows from the session's cookie and is not stored. */
export function offeredKey({ vault }: Pick<Work, 'vault'>, cookie: string): string {
  const bytes = Buffer.from(vault.hash(cookie, 'second_factor'), 'base64url').subarray(0, SECRET_BYTES)
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32
}

/** The address by which an app takes a key. */
export function keyAddress(key: string, label: string): string {
  return totpOf(key, label).toString()
}

/** The step of time that a code is for; undefined for a wrong code. `now` in milliseconds since 1970. */
export function stepOfCode(key: string, code: string, now: number): number | undefined {
  const token = code.replace(/\s/g, '')
  const delta = totpOf(key).validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta
}

/** Whether a code of an operator is right; none is taken twice, nor one from before it. The operator's row must be locked. */
export async function takeCode(work: Work, operator: OperatorRow, code: string): Promise<boolean> {
  if (operator.sealed_totp === null) return false
  const key = work.vault.open(operator.sealed_totp, keyPlace(operator))
  const step = stepOfCode(key, code, work.realMilliseconds)
  if (step === undefined || step <= (operator.totp_step ?? 0)) return false
  await work.change(resources.operator, operator.id, { totp_step: step })
  return true
}

/** Columns of an operator with a key, of whose codes the one of `step` was used. */
export function keyColumns({ vault }: Work, operator: OperatorRow, key: string, step: number) {
  return { sealed_totp: vault.seal(key, keyPlace(operator)), has_second_factor: 1, totp_step: step }
}

function keyPlace({ id, email }: OperatorRow): Place {
  return { table: 'admin_operators', column: 'sealed_totp', id, boundTo: [email] }
}

function totpOf(key: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, period: PERIOD, secret: Secret.fromBase32(key) })
}
