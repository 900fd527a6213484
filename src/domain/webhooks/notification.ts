import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'

/** What of an event a receiver is told. */
export type Happened = Pick<EventRow, 'id' | 'trigger' | 'created_at' | 'object_id' | 'object' | 'value'>

/** The body that a webhook is sent: the same bytes at every attempt. Money: "Webhooks". */
export function notification(event: Happened, { id, url }: Pick<WebhookRow, 'id' | 'url'>): string {
  return JSON.stringify({
    object: 'webhook_trigger',
    id: event.id,
    trigger: event.trigger,
    webhook_id: id,
    triggered_at: event.created_at,
    url,
    triggered_on: { id: event.object_id, object: event.object, value: event.value },
  })
}
