import type { Tx } from '../../engine/store/database/store.js'

/** Webhooks that are told anything: enabled, and not made by an application whose grant was revoked since. */
export function listeners({ db }: Tx) {
  return db
    .selectFrom('webhooks')
    .selectAll('webhooks')
    .where('webhooks.status', '=', 'enabled')
    .where('webhooks.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admin_oauth_grants')
            .select('admin_oauth_grants.id')
            .whereRef('admin_oauth_grants.id', '=', 'webhooks.key_id')
            .where('admin_oauth_grants.status', '=', 'revoked'),
        ),
      ),
    )
    .orderBy('webhooks.id')
}
