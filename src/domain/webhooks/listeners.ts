import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { digitsOfId } from '../../schema/id-time.js'

/**
 * Webhooks that are notified of events: they are enabled, and the grant of the application that made them is active.
 * The grant must still give access to their processing account, which may have left the organization.
 */
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
            .where((grant) => {
              const opened = grant
                .selectFrom('accounts')
                .select('accounts.id')
                .whereRef('accounts.id', '=', 'webhooks.processing_id')
                .whereRef('accounts.parent_org_id', '=', 'admin_oauth_grants.org_id')
                .where('accounts.deleted_at', 'is', null)
              return grant.or([
                grant('admin_oauth_grants.status', '=', 'revoked'),
                grant.not(grant.exists(opened)),
              ])
            }),
        ),
      ),
    )
    .orderBy('webhooks.id')
}

type WebhookScope = Pick<WebhookRow, 'id' | 'trigger' | 'status' | 'processing_id' | 'processing_ids'>

/** Whether a webhook is notified of an event: it is older than the event, and its maker may see the object. */
export function isNotified(webhook: WebhookScope, event: EventRow): boolean {
  return maySee(webhook, event) && digitsOfId(webhook.id) < digitsOfId(event.id)
}

/** Whether a webhook may be sent an event, whichever of the two is older; for events that are replayed. */
export function maySee(webhook: WebhookScope, event: EventRow): boolean {
  return (
    webhook.status === 'enabled' &&
    webhook.trigger === event.trigger &&
    isInScope(webhook, event.processing_id)
  )
}

/**
 * Whether a webhook's maker may see events of a processing account. A maker who is restricted to some accounts sees no
 * event without an account.
 */
function isInScope(
  { processing_id: own, processing_ids: narrowed }: WebhookScope,
  id: string | null,
): boolean {
  if (own !== null && own !== id) return false
  if (narrowed === null) return true
  const ids: unknown = JSON.parse(narrowed)
  return Array.isArray(ids) && ids.includes(id)
}
