import { ApiError } from '../../../engine/core/request/api-error.js'
import { isUnbound } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { exceeding, type Permissions } from './permissions.js'

/**
 * Permissions that the caller may give to a new key. A key may pass on only its own permissions, and its own lifetime
 * at most. The key's row is read even if it is outside the caller's scope.
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

/** Throws `Forbidden`, with the names of the attributes, if requested permissions exceed those of the maker. */
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
