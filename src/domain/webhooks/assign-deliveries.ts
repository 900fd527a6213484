import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import { deliveryOf, dueDelivery, type NewDelivery } from './delivery.js'
import { isNotified } from './listeners.js'
import { receiverOf } from './receiver-address.js'

/** Capacity of a process for further deliveries. */
export interface Capacity {
  /** Number of deliveries that may be claimed for a receiver now; 0 while enough claims wait for it. */
  claimable(receiver: string): number
  /** End of the lease of a claim made now, in milliseconds since 1970. */
  leaseEnd(): number
}

export interface Lease {
  readonly lease: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Deliveries that were made for the next events. */
export interface AssignedDeliveries {
  /** The events that have their deliveries now; later ones wait until their deliveries can be claimed. */
  readonly events: readonly EventRow[]
  readonly claims: readonly DeliveryClaim[]
  /** Deliveries for which this process has no capacity. */
  readonly unclaimed: readonly NewDelivery[]
}

/**
 * The largest number of deliveries that can be claimed for a receiver; no more events need to be read. With 0, the
 * events wait.
 */
export function roomFor(capacity: Capacity, webhooks: readonly WebhookRow[]): number {
  return webhooks.reduce((most, { url }) => Math.max(most, capacity.claimable(receiverOf(url))), 0)
}

/**
 * Makes a delivery of each event for each webhook that is notified of it, and claims as many as the capacity allows. A
 * claim made here saves a unit of work. Ends after the last claimed event, so that the following events can be claimed
 * later. If none can be claimed, covers all events, because later events may be for a receiver with capacity.
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
