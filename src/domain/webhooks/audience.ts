import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { digitsOfId } from '../../schema/id-time.js'

type Listener = Pick<WebhookRow, 'id' | 'trigger' | 'status' | 'processing_id' | 'processing_ids'>

/** Whether a webhook is told of an event: it was there before, and its maker may see what happened. */
export function hears(webhook: Listener, event: EventRow): boolean {
  return mayHear(webhook, event) && digitsOfId(webhook.id) < digitsOfId(event.id)
}

/** The same however old they are, for what is sent again. */
export function mayHear(webhook: Listener, event: EventRow): boolean {
  return (
    webhook.status === 'enabled' &&
    webhook.trigger === event.trigger &&
    isInScope(webhook, event.processing_id)
  )
}

/** What concerns no processing account is only for those who are narrowed to none. */
function isInScope({ processing_id: own, processing_ids: narrowed }: Listener, id: string | null): boolean {
  if (own !== null && own !== id) return false
  if (narrowed === null) return true
  const ids: unknown = JSON.parse(narrowed)
  return Array.isArray(ids) && ids.includes(id)
}
