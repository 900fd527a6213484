import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import { deliveryOf, dueDelivery, type NewDelivery } from './delivery.js'
import { isNotified } from './listeners.js'
import { receiverOf } from './receiver-address.js'

/** Room of a process for deliveries of new events. */
export interface Capacity {
  /** Deliveries that may be claimed for a receiver now; 0 while enough wait for it. */
  claimable(receiver: string): number
  /** End of the lease of a claim made now, in milliseconds since 1970. */
  leaseEnd(): number
}

export interface Lease {
  readonly lease: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Deliveries of the next events. */
export interface AssignedDeliveries {
  /** The events that have their deliveries now; later ones wait until their deliveries can be claimed. */
  readonly events: readonly EventRow[]
  readonly claims: readonly DeliveryClaim[]
  /** Deliveries that there was no room for. */
  readonly unclaimed: readonly NewDelivery[]
}

/**
 * Number of events for which a webhook has room; more of them need not be read. With 0 no webhook has room, and the
 * events wait.
 */
export function roomFor(capacity: Capacity, webhooks: readonly WebhookRow[]): number {
  return webhooks.reduce((most, { url }) => Math.max(most, capacity.claimable(receiverOf(url))), 0)
}

/**
 * Makes a delivery of each event for each webhook that is notified of it, and claims those that there is room for. A
 * claim made here saves a unit of work. Stops behind the last claimed event, so that the following ones can be
 * claimed later. Without any claim it takes all events, as later ones may be for a receiver that has room.
 */
export function assignDeliveries(
  events: readonly EventRow[],
  webhooks: readonly WebhookRow[],
  { lease, until }: Lease,
  capacity?: Capacity,
): AssignedDeliveries {
  const listening = webhooks.map((webhook) => ({ webhook, receiver: receiverOf(webhook.url) }))
  const room = new Map(listening.map(({ receiver }) => [receiver, capacity?.claimable(receiver) ?? 0]))
  const claims: DeliveryClaim[] = []
  const unclaimed: { readonly delivery: NewDelivery; readonly at: number }[] = []
  let end = 0
  for (const [at, event] of events.entries())
    for (const { webhook, receiver } of listening) {
      if (!isNotified(webhook, event)) continue
      const delivery = deliveryOf(event.id, webhook.id)
      const left = room.get(receiver) ?? 0
      if (left === 0) {
        unclaimed.push({ delivery, at })
        continue
      }
      room.set(receiver, left - 1)
      claims.push({ delivery: dueDelivery(delivery, until, lease), event, webhook, receiver, until })
      end = at + 1
    }
  if (end === 0 || unclaimed.every(({ at }) => at < end)) end = events.length
  return {
    events: events.slice(0, end),
    claims,
    unclaimed: unclaimed.filter(({ at }) => at < end).map(({ delivery }) => delivery),
  }
}
