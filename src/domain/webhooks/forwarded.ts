import { notification } from './notification.js'
import { signedHeaders } from './signature.js'

/** An event as `read_events` tells it. */
export interface Told {
  readonly id: string
  readonly trigger: string
  readonly triggered_at: string
  readonly triggered_on_id: string
  readonly triggered_on_object: string
  readonly triggered_on_value: string | null
}

/** In the place of a webhook's id where there is none. */
const LISTENER = 'wh_listen'

/** The request that tells an event, as a webhook with this address and secret would get it at `now` (milliseconds). */
export function forwarded(event: Told, url: string, secret: string, now: number) {
  const { id, trigger, triggered_at: created_at } = event
  const body = notification(
    {
      ...{ id, trigger, created_at },
      object_id: event.triggered_on_id,
      object: event.triggered_on_object,
      value: event.triggered_on_value,
    },
    { id: LISTENER, url },
  )
  const signed = signedHeaders([secret], { id, timestamp: Math.floor(now / 1000), body })
  const headers = { 'content-type': 'application/json', 'user-agent': 'payctl', ...signed }
  return { url, headers, body }
}
