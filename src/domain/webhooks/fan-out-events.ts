import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { lockRows, workNumbers } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow, FanOutRow, WebhookRow } from '../../engine/store/database/tables.js'
import { digitsOfId } from '../../schema/id-time.js'
import { assignDeliveries, type Capacity, type Lease, roomFor } from './assign-deliveries.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import { addDeliveries, deliveryOf, dueDelivery, existingIds, type NewDelivery } from './delivery.js'
import { eventIdAt, newestEvent } from './event-ids.js'
import { isNotified, listeners } from './listeners.js'

const ID = 'fan-out'
/** Events fanned out in one unit of work. */
const BATCH_SIZE = 500
/**
 * Milliseconds by which an event may appear late. Ids follow the time of events, but units of work may commit in
 * another order, and the clocks of processes may differ. Clocks are assumed to be wrong by no more.
 */
const LATE = 120_000
/** Shortest stretch of time, in milliseconds of events, that a search for late events on SQLite covers. */
const SWEEP = 60_000

/** Result of fanning out the next events. */
export interface FannedOut {
  /** Number of events; 0 when there are no more, or no room for them. */
  readonly events: number
  /** Deliveries that this process is to attempt. */
  readonly claims: readonly DeliveryClaim[]
  /** Whether events wait because no receiver has capacity for them. */
  readonly isFull: boolean
}

/**
 * Makes a delivery of each next event for each webhook that listens. This process claims as many as it has capacity
 * for; the others are due at once. Several processes may do so: each continues where another has stopped.
 */
export async function fanOutEvents({ read, write }: WorkRunner, capacity?: Capacity): Promise<FannedOut> {
  const next = await read(async ({ tx }) => {
    if ((await newestEvent(tx)) <= (await positionOf(tx)).event_id) return undefined
    if (!capacity) return { isFull: false }
    const webhooks = await listeners(tx).execute()
    return { isFull: webhooks.length > 0 && roomFor(capacity, webhooks) === 0 }
  })
  if (!next || next.isFull) return { events: 0, claims: [], isFull: next !== undefined }
  return await write(async (work) => {
    const { tx, realMilliseconds: now } = work
    const { event_id: last } = await lockPosition(tx)
    const webhooks = await listeners(tx).execute()
    if (webhooks.length === 0) await passOver(tx, last)
    if (webhooks.length === 0) return { events: 0, claims: [], isFull: false }
    // Read before the events: an event that commits in between may be found, but is not passed over.
    const newest = await newestEvent(tx)
    const room = (capacity && roomFor(capacity, webhooks)) || BATCH_SIZE
    const limit = Math.min(room, BATCH_SIZE)
    const found = await listenedEvents(tx, webhooks, { after: last, limit })
    const lease = { lease: work.newId(''), until: capacity?.leaseEnd() ?? now }
    const { events, claims, unclaimed } = assignDeliveries(found, webhooks, lease, capacity)
    await addDeliveries(
      tx,
      unclaimed.map((delivery) => dueDelivery(delivery, now)),
    )
    const isAll = found.length < limit && events.length === found.length
    const end = laterOf(events.at(-1)?.id ?? '', isAll ? newest : '')
    await move(tx, { event_id: laterOf(end, last) })
    const added = await addClaimed(tx, claims, lease)
    return { events: events.length, claims: await compared(work, added), isFull: false }
  })
}

/** Adds the problem of its webhook to each claim; undefined if the webhook's row matches its seal. */
async function compared(work: Work, claims: readonly DeliveryClaim[]): Promise<DeliveryClaim[]> {
  const problems = new Map<WebhookRow, string | undefined>()
  for (const webhook of new Set(claims.map((claim) => claim.webhook)))
    problems.set(webhook, await work.sealProblem('webhooks', webhook.id, webhook))
  return claims.map((claim) => ({ ...claim, problem: problems.get(claim.webhook) }))
}

/**
 * Adds claimed deliveries and returns those that did not exist yet. A delivery that existed before was made by a
 * replay, and is due by itself.
 */
async function addClaimed(tx: Tx, claims: readonly DeliveryClaim[], { lease }: Lease) {
  const deliveries = claims.map(({ delivery }) => delivery)
  if ((await addDeliveries(tx, deliveries)) === claims.length) return claims
  const added = new Set(await existingIds(tx, deliveries, lease))
  return claims.filter(({ delivery }) => added.has(delivery.id))
}

/**
 * Makes the missing deliveries of events that were committed late. Returns whether there were events to check again.
 */
export async function fanOutLateEvents({ read, write }: WorkRunner): Promise<boolean> {
  const look = async ({ tx, realMilliseconds }: Work, limit: number) =>
    tx.dialect === 'postgres' ? await settledEvents(tx, limit) : await oldEvents(tx, realMilliseconds, limit)
  if (!(await read((work) => look(work, 1)))) return false
  await write(async (work) => {
    const { tx, realMilliseconds } = work
    // Lock first: another process cannot pass over events that are visible after this.
    await lockPosition(tx)
    const found = await look(work, BATCH_SIZE)
    if (!found) return
    const known = new Set(await existingIds(tx, found.deliveries))
    const missing = found.deliveries.filter(({ id }) => !known.has(id))
    await addDeliveries(
      tx,
      missing.map((delivery) => dueDelivery(delivery, realMilliseconds)),
    )
    await move(tx, found.swept)
  })
  return true
}

/** Deliveries of the events that were checked again, and the position that was reached. */
interface Swept {
  readonly deliveries: readonly NewDelivery[]
  readonly swept: Pick<FanOutRow, 'swept_id'> | Pick<FanOutRow, 'swept_id' | 'swept_work'>
}

/**
 * Events to check again on PostgreSQL: those whose unit of work began before all that still run. A unit of work that
 * commits late was still running at the previous check, so its events are found here.
 */
async function settledEvents(tx: Tx, limit: number): Promise<Swept | undefined> {
  const { event_id, swept_id, swept_work } = await positionOf(tx)
  const { settled, next } = await workNumbers(tx)
  // On another server, to which a database was moved, the numbers of units of work may be lower.
  const from = Math.min(swept_work ?? 0, next)
  const webhooks = await listeners(tx).execute()
  if (webhooks.length === 0) return undefined
  const events = await tx.db
    .selectFrom('events')
    .selectAll()
    .where(({ and, or, eb }) =>
      or([eb('work', '>', from), and([eb('work', '=', from), eb('id', '>', swept_id)])]),
    )
    .where('work', '<', settled)
    .where('id', '<=', event_id)
    .where('id', '>', oldestOf(webhooks))
    .orderBy('work')
    .orderBy('id')
    .limit(limit)
    .execute()
  const last = events.at(-1)
  if (!last) return undefined
  return {
    deliveries: deliveriesOf(webhooks, events),
    swept:
      events.length < limit
        ? { swept_work: settled, swept_id: '' }
        : { swept_work: last.work, swept_id: last.id },
  }
}

/**
 * Events to check again on SQLite: those older than two minutes. There, only wrong clocks can put ids in another order
 * than commits.
 */
async function oldEvents(tx: Tx, now: number, limit: number): Promise<Swept | undefined> {
  const { event_id, swept_id } = await positionOf(tx)
  if (swept_id > eventIdAt(now - LATE - SWEEP)) return undefined
  const until = earlierOf(eventIdAt(now - LATE), event_id)
  if (until <= swept_id) return undefined
  const webhooks = await listeners(tx).execute()
  const events = await listenedEvents(tx, webhooks, { after: swept_id, limit, until })
  return {
    deliveries: deliveriesOf(webhooks, events),
    swept: { swept_id: events.length < limit ? until : (events.at(-1)?.id ?? until) },
  }
}

function deliveriesOf(webhooks: readonly WebhookRow[], events: readonly EventRow[]): NewDelivery[] {
  return events.flatMap((event) =>
    webhooks.filter((webhook) => isNotified(webhook, event)).map(({ id }) => deliveryOf(event.id, id)),
  )
}

/**
 * The lowest id of an event that any of the webhooks is notified of. A webhook is not notified of events before it
 * was made.
 */
function oldestOf([first]: readonly WebhookRow[]): string {
  return first ? `evt_${digitsOfId(first.id)}` : ''
}

/** Moves the position behind the newest event, as no webhook listens to the events so far. */
async function passOver(tx: Tx, last: string): Promise<void> {
  const seen = { event_id: laterOf(await newestEvent(tx), last) }
  if (tx.dialect === 'sqlite') return await move(tx, seen)
  const { settled } = await workNumbers(tx)
  // Read after the events: a webhook that was made since the first reading may listen to one of them.
  if ((await listeners(tx).execute()).length > 0) return
  await move(tx, { ...seen, swept_work: settled, swept_id: '' })
}

interface Stretch {
  readonly after: string
  readonly limit: number
  readonly until?: string
}

/** Events whose triggers webhooks listen to, in the order of ids, since the oldest of the webhooks was made. */
async function listenedEvents(
  { db }: Tx,
  webhooks: readonly WebhookRow[],
  { after, limit, until }: Stretch,
): Promise<EventRow[]> {
  if (webhooks.length === 0) return []
  return await db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', laterOf(after, oldestOf(webhooks)))
    .$if(until !== undefined, (query) => query.where('id', '<=', until ?? ''))
    .where('trigger', 'in', [...new Set(webhooks.map(({ trigger }) => trigger))])
    .orderBy('id')
    .limit(limit)
    .execute()
}

async function positionOf({ db }: Tx) {
  const row = await db.selectFrom('fan_out').selectAll().where('id', '=', ID).executeTakeFirst()
  return row ?? { event_id: '', swept_id: '', swept_work: null }
}

/** Keeps other processes from fanning out the same events at the same time. */
async function lockPosition(tx: Tx) {
  const start = { id: ID, event_id: '', swept_id: '' }
  await tx.db
    .insertInto('fan_out')
    .values({ ...start })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const query = tx.db.selectFrom('fan_out').selectAll().where('id', '=', ID)
  return await lockRows(tx.dialect, query).executeTakeFirstOrThrow()
}

async function move({ db }: Tx, position: Partial<FanOutRow>): Promise<void> {
  await db.updateTable('fan_out').set(position).where('id', '=', ID).execute()
}

function laterOf(a: string, b: string): string {
  return a > b ? a : b
}

function earlierOf(a: string, b: string): string {
  return a < b ? a : b
}
