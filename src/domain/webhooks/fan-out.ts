import type { WorkRunner } from '../../engine/jobs/job.js'
import { lockRows, oldestWork } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { digitsOfId, digitsOfTime } from '../../schema/id-time.js'
import { hears } from './audience.js'
import { deliveryOf, type Handed, handOver, knownOf } from './delivery.js'
import { listeners } from './listeners.js'

const ID = 'fan-out'
/** So many events are handed to webhooks in one unit of work. */
const LOT = 500
/**
 * Ids are in the order in which events happened, and units of work may commit in another one: events are looked at a
 * second time when no unit of work from then can still be running, and no clock can be that wrong.
 */
const LATE = 120_000
/** That is done for so many milliseconds at once. */
const SWEEP = 60_000

/**
 * Hands the next events to the webhooks that hear them: a delivery each, due at once. Answers how many events; 0 when
 * there are no more. Several processes may do it: one goes on where another came to.
 */
export async function fanOut({ read, write }: WorkRunner): Promise<number> {
  const [next] = await read(async ({ tx }) => await eventsAfter(tx, (await positionOf(tx)).event_id, 1))
  if (!next) return 0
  return await write(async ({ tx, realMilliseconds }) => {
    const { event_id: last } = await lockPosition(tx)
    const webhooks = await listeners(tx).execute()
    if (webhooks.length === 0) return await passOver(tx, last)
    const events = await eventsAfter(tx, laterOf(last, oldestOf(webhooks)), LOT)
    await handOver(tx, audiencesOf(webhooks, events), realMilliseconds)
    await move(tx, { event_id: events.at(-1)?.id ?? next.id })
    return Math.max(events.length, 1)
  })
}

/** Hands out what was committed late. Answers whether there was anything to look at again. */
export async function sweep({ read, write }: WorkRunner): Promise<boolean> {
  const found = await read(async ({ tx, realMilliseconds: now }) => {
    const { event_id, swept_id } = await positionOf(tx)
    if (swept_id > eventIdAt(now - LATE - SWEEP)) return undefined
    const until = earlierOf(eventIdAt(Math.min(now, (await oldestWork(tx)) ?? now) - LATE), event_id)
    if (until <= swept_id) return undefined
    const webhooks = await listeners(tx).execute()
    const events = webhooks.length === 0 ? [] : await eventsAfter(tx, swept_id, LOT, until)
    const deliveries = audiencesOf(webhooks, events)
    const known = new Set(await knownOf(tx, deliveries))
    const missing = deliveries.filter(({ id }) => !known.has(id))
    return { missing, swept_id: events.length < LOT ? until : (events.at(-1)?.id ?? until) }
  })
  if (!found) return false
  await write(async ({ tx, realMilliseconds }) => {
    await lockPosition(tx)
    await handOver(tx, found.missing, realMilliseconds)
    await move(tx, { swept_id: found.swept_id })
  })
  return true
}

function audiencesOf(webhooks: readonly WebhookRow[], events: readonly EventRow[]): Handed[] {
  return events.flatMap((event) =>
    webhooks.filter((webhook) => hears(webhook, event)).map(({ id }) => deliveryOf(event.id, id)),
  )
}

/** No webhook hears what happened before it was made. */
function oldestOf([first]: readonly WebhookRow[]): string {
  return first ? `evt_${digitsOfId(first.id)}` : ''
}

/** Nobody hears anything: there is nothing to look at. */
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

/** Keeps other processes from handing out the same at the same time. */
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
