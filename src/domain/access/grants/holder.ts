import type { Principal } from '../../../engine/core/request/principal.js'
import { maintenanceMessage } from '../../../engine/store/database/maintenance-message.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Tx } from '../../../engine/store/database/store.js'
import type { OauthGrantRow } from '../../../engine/store/database/tables.js'
import { grantedIds } from './granted.js'

/**
 * Whoever holds an access token, by its keyed hash: all that a key of the granted processing accounts may do, never
 * `manage`. Nothing when it is unknown, expired, or its grant was revoked.
 */
export async function holderOfAccessToken(
  tx: Tx,
  hash: string,
  now: string,
): Promise<{ principal: Principal; maintenance: string | null } | undefined> {
  const [grant] = await tx.run(grantByToken, { hash, now })
  if (!grant) return undefined
  const processingIds = await grantedIds(tx, grant)
  return {
    principal: { kind: 'key', id: grant.id, manage: false, processingIds },
    maintenance: grant.turned_away,
  }
}

const grantByToken = prepared<{ hash: string; now: string }, OauthGrantRow & { turned_away: string | null }>(
  (db, param) =>
    db
      .selectFrom('oauth_tokens')
      .innerJoin('admin_oauth_grants', 'admin_oauth_grants.id', 'oauth_tokens.grant_id')
      .selectAll('admin_oauth_grants')
      .select(maintenanceMessage)
      .where('token_hash', '=', param('hash'))
      .where('oauth_tokens.kind', '=', 'access')
      .where('oauth_tokens.expires_at', '>', param('now'))
      .where('admin_oauth_grants.status', '=', 'active')
      .where('admin_oauth_grants.deleted_at', 'is', null),
)
