import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { takeRows } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { DeliveryRow, EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { listeners } from './listeners.js'

/** A webhook that something is due for. */
export interface Due {
  readonly webhookId: string
  /** Whom attempts are counted by: webhooks of one host share its room. */
  readonly receiver: string
}

/** An attempt that this process may make until its lease ends. */
export interface Claim {
  readonly delivery: DeliveryRow
  readonly event: EventRow
  readonly webhook: WebhookRow
  readonly receiver: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Webhooks with deliveries that are due, whatever the number of those that are not. */
export async function dueNow({ tx, realMilliseconds: now }: Work): Promise<Due[]> {
  // A step from webhook to webhook through the index, where a plain grouping would read all that waits.
  const { rows } = await sql<{ waiting: string }>`
    with recursive webhook(waiting) as (
      select min(waiting) from deliveries where waiting is not null
      union all
      select (select min(waiting) from deliveries where deliveries.waiting > webhook.waiting)
      from webhook where webhook.waiting is not null
    )
    select waiting from webhook where exists (
      select 1 from deliveries where deliveries.waiting = webhook.waiting and due_at <= ${now}
    )`.execute(tx.db)
  const due: Due[] = []
  for (const { id, url } of await webhooksOf(
    tx,
    rows.map(({ waiting }) => waiting),
  ))
    due.push({ webhookId: id, receiver: receiverOf(url) })
  return due
}

export interface Claimed {
  readonly claims: readonly Claim[]
  /** Webhooks that more may be due for: as much was found as was wanted. */
  readonly more: readonly string[]
}

export interface Wanted {
  readonly webhookId: string
  readonly most: number
}

/**
 * Takes what is due for webhooks, the longest waiting first, under a lease: until it ends nobody else does, and
 * afterwards anybody may, as whoever holds it must have died. What is due for a webhook that is disabled or deleted
 * is dropped.
 */
export async function claim(
  work: Work,
  wanted: readonly Wanted[],
  lease: string,
  until: number,
): Promise<Claimed> {
  const heard = new Map((await heardOf(work.tx, wanted)).map((webhook) => [webhook.id, webhook]))
  const claims: Claim[] = []
  const more: string[] = []
  for (const { webhookId, most } of wanted) {
    const webhook = heard.get(webhookId)
    const limit = webhook ? most : DROPPED
    const found = await takeDue(work, webhookId, limit)
    if (found.length === limit) more.push(webhookId)
    await mark(
      work,
      found,
      webhook ? { due_at: until, lease } : { due_at: null, waiting: null, lease: null, outcome: 'dropped' },
    )
    if (webhook) claims.push(...(await claimsOf(work, webhook, found, { lease, until })))
  }
  return { claims, more }
}

/** So many are dropped at once. */
const DROPPED = 500

async function mark(
  { tx }: Work,
  found: readonly DeliveryRow[],
  change: Partial<DeliveryRow>,
): Promise<void> {
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  await tx.db.updateTable('deliveries').set(change).where('id', 'in', ids).execute()
}

async function claimsOf(
  { tx }: Work,
  webhook: WebhookRow,
  found: readonly DeliveryRow[],
  { lease, until }: Pick<Claim, 'until'> & { readonly lease: string },
): Promise<Claim[]> {
  const events = await eventsOf(tx, found)
  const receiver = receiverOf(webhook.url)
  return found.map((row) => {
    const event = events.get(row.event_id)
    if (!event) throw new Error(`The event ${row.event_id} of a delivery is missing`)
    return { delivery: { ...row, lease }, event, webhook, until, receiver }
  })
}

/** Gives back what was claimed and not begun: it is due again at once. */
export async function release({ tx, realMilliseconds }: Work, claims: readonly Claim[]): Promise<void> {
  for (const { delivery } of claims)
    await tx.db
      .updateTable('deliveries')
      .set({ due_at: realMilliseconds, lease: null })
      .where('id', '=', delivery.id)
      .where('lease', '=', delivery.lease)
      .execute()
}

async function takeDue({ tx, realMilliseconds: now }: Work, webhookId: string, most: number) {
  const query = tx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('waiting', '=', webhookId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(most)
  return await takeRows(tx.dialect, query).execute()
}

async function heardOf(tx: Tx, wanted: readonly Wanted[]): Promise<WebhookRow[]> {
  const ids = wanted.map(({ webhookId }) => webhookId)
  return await listeners(tx).where('webhooks.id', 'in', ids).execute()
}

async function webhooksOf({ db }: Tx, ids: readonly string[]): Promise<WebhookRow[]> {
  if (ids.length === 0) return []
  return await db.selectFrom('webhooks').selectAll().where('id', 'in', ids).execute()
}

async function eventsOf({ db }: Tx, deliveries: readonly DeliveryRow[]): Promise<Map<string, EventRow>> {
  if (deliveries.length === 0) return new Map()
  const ids = deliveries.map(({ event_id: id }) => id)
  const rows = await db.selectFrom('events').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function receiverOf(url: string | null): string {
  return URL.canParse(url ?? '') ? new URL(url ?? '').origin : ''
}
