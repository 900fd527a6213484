import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { signedHeaders } from './signature.js'

/** The part of an event that a receiver is sent. */
type NotifiedEvent = Pick<EventRow, 'id' | 'trigger' | 'created_at' | 'object_id' | 'object' | 'value'>

/** The body that a webhook is sent: the same bytes at every attempt. See docs/interface.md, "Webhooks". */
export function notification(event: NotifiedEvent, { id, url }: Pick<WebhookRow, 'id' | 'url'>): string {
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

/** An event as `read_events` shows it. */
export interface ForwardedEvent {
  readonly id: string
  readonly trigger: string
  readonly triggered_at: string
  readonly triggered_on_id: string
  readonly triggered_on_object: string
  readonly triggered_on_value: string | null
}

/** Placeholder of a missing webhook's id. */
const NO_WEBHOOK = 'wh_listen'

/** The request that notifies of an event, as a webhook with this address and secret gets it at `now` (milliseconds). */
export function forwardedNotification(event: ForwardedEvent, url: string, secret: string, now: number) {
  const { id, trigger, triggered_at: created_at } = event
  const body = notification(
    {
      id,
      trigger,
      created_at,
      object_id: event.triggered_on_id,
      object: event.triggered_on_object,
      value: event.triggered_on_value,
    },
    { id: NO_WEBHOOK, url },
  )
  const headers = signedHeaders([secret], { id, timestamp: Math.floor(now / 1000), body })
  return { url, headers, body }
}
