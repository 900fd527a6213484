import type { WorkRunner } from '../../engine/jobs/job.js'
import { lockRows, oldestWork } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { digitsOfId, digitsOfTime } from '../../schema/id-time.js'
import { addDeliveries, deliveryOf, existingIds, type NewDelivery } from './delivery.js'
import { isNotified, listeners } from './listeners.js'

const ID = 'fan-out'
/** Events fanned out in one unit of work. */
const BATCH_SIZE = 500
/**
 * Ids follow the order in which events happened, but units of work may commit in another one: events are looked at a
 * second time when no unit of work from then can still be running, and no clock can be that wrong (milliseconds).
 */
const LATE = 120_000
/** How many milliseconds of events that takes in at once. */
const SWEEP = 60_000

/**
 * Makes a delivery, due at once, of each next event for each webhook that listens. Answers how many events; 0 when
 * there are no more. Several processes may do it: one goes on where another has stopped.
 */
export async function fanOutEvents({ read, write }: WorkRunner): Promise<number> {
  const [next] = await read(async ({ tx }) => await eventsAfter(tx, (await positionOf(tx)).event_id, 1))
  if (!next) return 0
  return await write(async ({ tx, realMilliseconds }) => {
    const { event_id: last } = await lockPosition(tx)
    const webhooks = await listeners(tx).execute()
    if (webhooks.length === 0) return await passOver(tx, last)
    const events = await eventsAfter(tx, laterOf(last, oldestOf(webhooks)), BATCH_SIZE)
    await addDeliveries(tx, deliveriesOf(webhooks, events), realMilliseconds)
    await move(tx, { event_id: events.at(-1)?.id ?? next.id })
    return Math.max(events.length, 1)
  })
}

/** Does the same for events that were committed late. Answers whether there was a span to look at again. */
export async function fanOutLateEvents({ read, write }: WorkRunner): Promise<boolean> {
  const found = await read(async ({ tx, realMilliseconds: now }) => {
    const { event_id, swept_id } = await positionOf(tx)
    if (swept_id > eventIdAt(now - LATE - SWEEP)) return undefined
    const until = earlierOf(eventIdAt(Math.min(now, (await oldestWork(tx)) ?? now) - LATE), event_id)
    if (until <= swept_id) return undefined
    const webhooks = await listeners(tx).execute()
    const events = webhooks.length === 0 ? [] : await eventsAfter(tx, swept_id, BATCH_SIZE, until)
    const deliveries = deliveriesOf(webhooks, events)
    const known = new Set(await existingIds(tx, deliveries))
    const missing = deliveries.filter(({ id }) => !known.has(id))
    return { missing, swept_id: events.length < BATCH_SIZE ? until : (events.at(-1)?.id ?? until) }
  })
  if (!found) return false
  await write(async ({ tx, realMilliseconds }) => {
    await lockPosition(tx)
    await addDeliveries(tx, found.missing, realMilliseconds)
    await move(tx, { swept_id: found.swept_id })
  })
  return true
}

function deliveriesOf(webhooks: readonly WebhookRow[], events: readonly EventRow[]): NewDelivery[] {
  return events.flatMap((event) =>
    webhooks.filter((webhook) => isNotified(webhook, event)).map(({ id }) => deliveryOf(event.id, id)),
  )
}

/** No webhook is notified of what happened before it was made. */
function oldestOf([first]: readonly WebhookRow[]): string {
  return first ? `evt_${digitsOfId(first.id)}` : ''
}

/** Without webhooks there is nothing to fan out. */
async function passOver(tx: Tx, last: string): Promise<number> {
  const newest = await tx.db
    .selectFrom('events')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  await move(tx, { event_id: laterOf(newest?.id ?? '', last) })
  return 1
}

async function eventsAfter({ db }: Tx, id: string, limit: number, until?: string): Promise<EventRow[]> {
  return await db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', id)
    .$if(until !== undefined, (query) => query.where('id', '<=', until ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute()
}

async function positionOf({ db }: Tx) {
  const row = await db.selectFrom('fan_out').selectAll().where('id', '=', ID).executeTakeFirst()
  return row ?? { event_id: '', swept_id: '' }
}

/** Keeps other processes from fanning out the same events at the same time. */
async function lockPosition(tx: Tx) {
  const start = { id: ID, event_id: '', swept_id: '' }
  await tx.db
    .insertInto('fan_out')
    .values(start)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const query = tx.db.selectFrom('fan_out').selectAll().where('id', '=', ID)
  return await lockRows(tx.dialect, query).executeTakeFirstOrThrow()
}

async function move({ db }: Tx, position: { event_id: string } | { swept_id: string }): Promise<void> {
  await db.updateTable('fan_out').set(position).where('id', '=', ID).execute()
}

/** What the ids of events at a time begin with. */
function eventIdAt(milliseconds: number): string {
  return `evt_${digitsOfTime(Math.max(milliseconds, 0))}`
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b
}

function earlierOf(a: string, b: string): string {
  return a < b ? a : b
}
