import { ApiError } from '../../../engine/core/request/api-error.js'
import { isUnbound } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { exceeding, type Permissions } from './permissions.js'

/**
 * Permissions that a principal may give to a new key: all as the operator, its own permissions and lifetime as a key.
 * Reads the row past the caller's scope, as it is the caller's own.
 */
export async function permissionsOfMaker({ tx, principal }: Work): Promise<Permissions> {
  const { id, manage, processingIds, grants } = principal
  if (isUnbound(principal)) return { manage, processingIds, grants }
  const [row] = await tx.run(expiryOfKey, { id })
  return { manage, processingIds, grants, expiresAt: row?.expires_at ?? null }
}

const expiryOfKey = prepared<{ id: string }, { expires_at: string | null }>((db, param) =>
  db.selectFrom('admin_keys').select('expires_at').where('id', '=', param('id')),
)

/** A key made, renewed or rotated by a key cannot exceed its maker. Throws `Forbidden` naming the attributes. */
export function refuseExceeding(maker: Permissions, requested: Permissions): void {
  const beyond = exceeding(maker, requested)
  if (beyond.length === 0) return
  const names = beyond.map((name) => `[${name}]`).join(', ')
  throw new ApiError(
    'Forbidden',
    `A key cannot give more than it has: ${names}`,
    Object.fromEntries(beyond.map((name) => [name, 'Exceeds the permissions of the key'])),
  )
}
