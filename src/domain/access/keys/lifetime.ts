import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { resources } from '../../../resources/resource-table.js'

import { datetimeOf } from '../../../schema/datetime.js'
import type { Input, RowOf } from '../../../schema/types.js'

type Lifetime = Pick<
  RowOf<typeof resources.api_key> | RowOf<typeof resources.access_token>,
  'status' | 'expires_at'
>

const MAX_OVERLAP_SECONDS = 30 * 86_400

/** Whether a key is accepted at a datetime: neither revoked nor expired. */
export function isAlive({ status, expires_at }: Lifetime, now: string): boolean {
  return status === 'active' && (expires_at === null || expires_at > now)
}

/** The earlier of two datetimes; null means never. */
export function earlier(one: string | null, other: string): string {
  return one !== null && one < other ? one : other
}

/**
 * End of the validity of a rotated key, by the input of `rotate`: `overlap` in seconds from now, or the datetime
 * `expires_at`. Without either it ends now. Throws `InvalidAttributes`.
 */
export function endOfRotated({ overlap, expires_at }: Input, milliseconds: number): string {
  const until = expires_at ?? datetimeOf(milliseconds + Number(overlap ?? 0) * 1000)
  const latest = datetimeOf(milliseconds + MAX_OVERLAP_SECONDS * 1000)
  if (String(until) > latest) throw invalidAttributes({ expires_at: `Must be at most ${latest}` })
  return String(until)
}
