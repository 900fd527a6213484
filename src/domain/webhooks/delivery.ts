import { isAmong } from '../../engine/store/database/differences.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { DeliveryRow } from '../../engine/store/database/tables.js'

/** Rows per statement. */
const BATCH_SIZE = 100

/** The delivery of an event to a webhook, before it is stored. */
export type NewDelivery = Pick<DeliveryRow, 'id' | 'event_id' | 'webhook_id'>

/** The delivery of an event to a webhook; its id is made of both, so that there is at most one. */
export function deliveryOf(eventId: string, webhookId: string): NewDelivery {
  return { id: `${eventId}.${webhookId}`, event_id: eventId, webhook_id: webhookId }
}

const COLUMNS = [
  'id',
  'event_id',
  'webhook_id',
  'waiting',
  'due_at',
  'lease',
  'attempts',
  'outcome',
] as const satisfies readonly (keyof DeliveryRow)[]

/** A delivery without an attempt, due at a time (milliseconds since 1970) or when its lease ends. */
export function dueDelivery(
  { id, event_id, webhook_id }: NewDelivery,
  due_at: number,
  lease: string | null = null,
): DeliveryRow {
  return { id, event_id, webhook_id, waiting: webhook_id, due_at, lease, attempts: 0, outcome: null }
}

/** Adds deliveries; existing ones are unchanged. Returns the number of added ones. */
export async function addDeliveries(tx: Tx, deliveries: readonly DeliveryRow[]): Promise<number> {
  return await insertRows(tx, 'deliveries', COLUMNS, deliveries, { skipsExisting: true })
}

/** Makes deliveries due again from the first attempt, regardless of their outcome; deleted ones are made again. */
export async function redeliver({ db }: Tx, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  const fresh = { due_at: now, lease: null, attempts: 0, outcome: null }
  for (const batch of batchesOf(deliveries)) {
    await db
      .insertInto('deliveries')
      .values(batch.map((delivery) => dueDelivery(delivery, now)))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ ...fresh, waiting: eb.ref('deliveries.webhook_id') })),
      )
      .execute()
  }
}

/** The ids of deliveries that exist; with a lease, only those under the lease. */
export async function existingIds(
  { db, dialect }: Tx,
  deliveries: readonly NewDelivery[],
  lease?: string,
): Promise<string[]> {
  if (deliveries.length === 0) return []
  const ids = JSON.stringify(deliveries.map(({ id }) => id))
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where((eb) => isAmong(dialect, eb.ref('id'), ids))
    .$if(lease !== undefined, (query) => query.where('lease', '=', lease ?? ''))
    .execute()
  return rows.map(({ id }) => id)
}

function* batchesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += BATCH_SIZE) yield all.slice(start, start + BATCH_SIZE)
}
