import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { takeRows } from '../../engine/store/database/differences.js'
import { using } from '../../engine/store/database/raw-use.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { DeliveryRow, EventRow, WebhookRow } from '../../engine/store/database/tables.js'
import { listeners } from './listeners.js'
import { receiverOf } from './receiver-address.js'

/** A webhook with due deliveries. */
export interface DueWebhook {
  readonly webhookId: string
  /** Origin of the webhook's address. Webhooks of one host and port share its limit of attempts. */
  readonly receiver: string
}

/** An attempt that this process may make until its lease ends. */
export interface DeliveryClaim {
  readonly delivery: DeliveryRow
  readonly event: EventRow
  readonly webhook: WebhookRow
  readonly receiver: string
  /** Milliseconds since 1970. */
  readonly until: number
  /** Reason why the event must not be sent; undefined if it may be. */
  readonly problem?: string | undefined
}

/** Webhooks with deliveries that are due, in a time that does not depend on the number of deliveries that wait. */
export async function dueNow({ tx, realMilliseconds: now }: Work): Promise<DueWebhook[]> {
  // Steps from webhook to webhook through the index; a plain grouping would read all waiting rows.
  const waiting = sql<{ waiting: string }>`
    with recursive webhook(waiting) as (
      select min(waiting) from deliveries where waiting is not null
      union all
      select (select min(waiting) from deliveries where deliveries.waiting > webhook.waiting)
      from webhook where webhook.waiting is not null
    )
    select waiting from webhook where exists (
      select 1 from deliveries where deliveries.waiting = webhook.waiting and due_at <= ${now}
    )`
  const { rows } = await using({ reads: ['deliveries'] }, waiting).execute(tx.db)
  const due: DueWebhook[] = []
  for (const { id, url } of await webhooksOf(
    tx,
    rows.map(({ waiting }) => waiting),
  ))
    due.push({ webhookId: id, receiver: receiverOf(url) })
  return due
}

export interface ClaimedDeliveries {
  readonly claims: readonly DeliveryClaim[]
  /** Ids of webhooks that may have more due deliveries, because the limit was reached. */
  readonly more: readonly string[]
}

export interface ClaimRequest {
  readonly webhookId: string
  readonly limit: number
}

/**
 * Claims due deliveries of webhooks under a lease, the longest waiting first. No other process claims them until the
 * lease ends; then any process may, as the holder must have died. Drops the due deliveries of a webhook that is
 * disabled or deleted. If that was done outside payctl, they are postponed instead.
 */
export async function claimDeliveries(
  work: Work,
  requests: readonly ClaimRequest[],
  lease: string,
  until: number,
): Promise<ClaimedDeliveries> {
  const listening = new Map((await listenersOf(work.tx, requests)).map((webhook) => [webhook.id, webhook]))
  const claims: DeliveryClaim[] = []
  const more: string[] = []
  for (const { webhookId, limit: requested } of requests) {
    const webhook = listening.get(webhookId)
    const limit = webhook ? requested : DROPPED_BATCH_SIZE
    const found = await takeDue(work, webhookId, limit)
    if (found.length === limit) more.push(webhookId)
    await mark(work, found, webhook ? { due_at: until, lease } : await withoutListener(work, webhookId))
    if (webhook) claims.push(...(await claimsOf(work, webhook, found, { lease, until })))
  }
  return { claims, more }
}

/**
 * Columns that end deliveries whose webhook no longer listens. If the webhook was changed outside payctl, the
 * deliveries are only postponed.
 */
async function withoutListener(work: Work, webhookId: string): Promise<Partial<DeliveryRow>> {
  const problem = await work.sealProblem('webhooks', webhookId, undefined)
  return problem === undefined
    ? { due_at: null, waiting: null, lease: null, outcome: 'dropped' }
    : { due_at: work.realMilliseconds + RETRY, lease: null }
}

/** Milliseconds by which deliveries of a webhook that was changed outside payctl are postponed. */
const RETRY = 300_000

/** Deliveries dropped in one unit of work. */
const DROPPED_BATCH_SIZE = 500

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
  work: Work,
  webhook: WebhookRow,
  found: readonly DeliveryRow[],
  { lease, until }: Pick<DeliveryClaim, 'until'> & { readonly lease: string },
): Promise<DeliveryClaim[]> {
  const events = await eventsOf(work.tx, found)
  const problem = await work.sealProblem('webhooks', webhook.id, webhook)
  const receiver = receiverOf(webhook.url)
  return found.map((row) => {
    const event = events.get(row.event_id)
    if (!event) throw new Error(`The event ${row.event_id} of a delivery is missing`)
    return { delivery: { ...row, lease }, event, webhook, until, receiver, problem }
  })
}

/** Releases claims that have not begun: their deliveries are due again at once. */
export async function releaseClaims(
  { tx, realMilliseconds }: Work,
  claims: readonly DeliveryClaim[],
): Promise<void> {
  for (const { delivery } of claims)
    await tx.db
      .updateTable('deliveries')
      .set({ due_at: realMilliseconds, lease: null })
      .where('id', '=', delivery.id)
      .where('lease', '=', delivery.lease)
      .execute()
}

async function takeDue({ tx, realMilliseconds: now }: Work, webhookId: string, limit: number) {
  const query = tx.db
    .selectFrom('deliveries')
    .selectAll()
    .where('waiting', '=', webhookId)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
  return await takeRows(tx.dialect, query).execute()
}

async function listenersOf(tx: Tx, requests: readonly ClaimRequest[]): Promise<WebhookRow[]> {
  const ids = requests.map(({ webhookId }) => webhookId)
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
