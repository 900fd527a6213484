import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules, Steps } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { deliveryOf, type NewDelivery, redeliver } from './delivery.js'
import { isNotified, listeners, maySee } from './listeners.js'

/** Events read in one unit of work. */
const BATCH_SIZE = 500

/** Makes deliveries due again, regardless of their outcome. See docs/interface.md, "Webhooks". */
export const replayRule: Pick<AdminRules, 'replay_events'> = {
  replay_events: {
    async performInSteps(steps, { event_id, log_id, since, webhook_id }) {
      const given = [event_id, log_id, since].filter((one) => typeof one === 'string')
      if (given.length !== 1) throw invalidAttributes({ event_id: 'Or log_id or since: one is required' })
      if (typeof since === 'string') return { deliveries: await replaySince(steps, since, webhook_id) }
      const found = await steps.write(async (work) => {
        const deliveries =
          typeof log_id === 'string'
            ? [await deliveryOfLog(work, log_id)]
            : await deliveriesOfEvent(work, event_id ?? '', webhook_id)
        await redeliver(work.tx, deliveries, work.realMilliseconds)
        return deliveries
      })
      return { deliveries: found.length }
    },
  },
}

async function replaySince(steps: Steps, since: string, webhookId: string | null | undefined) {
  let deliveries = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const after: string = last
    const batch = await steps.write(async (work) => {
      const events = await work.tx.db
        .selectFrom('events')
        .selectAll()
        .where('created_at', '>=', since)
        .where('id', '>', after)
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute()
      const again = await listenersDeliveries(work, events, webhookId)
      await redeliver(work.tx, again, work.realMilliseconds)
      return { count: again.length, last: events.at(-1)?.id }
    })
    deliveries += batch.count
    last = batch.last
  }
  return deliveries
}

async function deliveriesOfEvent(work: Work, id: string, webhookId: string | null | undefined) {
  const event = await eventOf(work, id)
  return await listenersDeliveries(work, [event], webhookId)
}

/**
 * Deliveries of the events to all webhooks that listen, or only to the named webhook, even if it is newer than the
 * events.
 */
async function listenersDeliveries(
  work: Work,
  events: readonly EventRow[],
  webhookId: string | null | undefined,
): Promise<NewDelivery[]> {
  const named = typeof webhookId === 'string' ? [await enabled(work, webhookId)] : undefined
  const webhooks = named ?? (await listeners(work.tx).execute())
  const isIncluded = named ? maySee : isNotified
  return events.flatMap((event) =>
    webhooks.filter((webhook) => isIncluded(webhook, event)).map(({ id }) => deliveryOf(event.id, id)),
  )
}

async function deliveryOfLog(work: Work, id: string): Promise<NewDelivery> {
  const log = await work.find(resources.webhook_log, id)
  if (!log?.webhook_id || !log.event_id) throw invalidAttributes({ log_id: 'Not found' })
  const webhook = await enabled(work, log.webhook_id)
  const event = await eventOf(work, log.event_id)
  return deliveryOf(event.id, webhook.id)
}

async function eventOf({ tx: { db } }: Work, id: string): Promise<EventRow> {
  const event = await db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst()
  if (!event) throw invalidAttributes({ event_id: 'Not found' })
  return event
}

async function enabled(work: Work, id: string): Promise<WebhookRow> {
  const webhook = await work.find(resources.webhook, id)
  if (!webhook) throw invalidAttributes({ webhook_id: 'Not found' })
  const listener = await listeners(work.tx).where('webhooks.id', '=', id).executeTakeFirst()
  if (!listener) throw invalidAttributes({ webhook_id: 'Is disabled' })
  return listener
}
