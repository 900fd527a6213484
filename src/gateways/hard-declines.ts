import type { StatusCode } from '../schema/status-codes.js'

/** Our decline codes after which another attempt with the same method is useless. */
const HARD: ReadonlySet<string> = new Set<StatusCode>([
  'authorization_revoked',
  'card_expired',
  'card_lost',
  'card_not_supported',
  'card_stolen',
  'invalid_bank_account',
  'invalid_card_code',
  'invalid_card_number',
  'invalid_zip',
  'method_not_accepted',
  'not_permitted',
  'suspicious_activity',
  'token_unknown',
])

/**
 * Whether a decline is hard, judged by its code. It is for rails that do not report whether a decline is
 * hard.
 */
export function isHardCode(statusCode: string): boolean {
  return HARD.has(statusCode)
}
