import { ApiError } from '../../../engine/core/request/errors.js'

/** What a client would like. Unknown preferences are ignored, as RFC 7240 says. */
export interface Preferences {
  readonly dryRun?: true
  readonly count?: true
}

const NONE: Preferences = {}

/** Reads the `Prefer` header: `dry-run`, `count=exact`, separated by commas. */
export function preferencesOf(header: string | readonly string[] | undefined): Preferences {
  if (header === undefined) return NONE
  const asked = String(header)
    .split(/[,;]/)
    .map((token) => token.trim().toLowerCase().replaceAll('"', ''))
  return {
    ...(asked.includes('dry-run') ? { dryRun: true } : {}),
    ...(asked.includes('count=exact') ? { count: true } : {}),
  }
}

/** Reads the `Idempotency-Key` header. Throws `BadRequest` when it is empty, too long or not plain ASCII. */
export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header)
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return key
  throw new ApiError('BadRequest', 'Idempotency-Key must have 1 to 255 printable ASCII characters')
}
