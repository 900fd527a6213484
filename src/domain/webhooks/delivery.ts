import type { Tx } from '../../engine/store/database/store.js'
import type { DeliveryRow } from '../../engine/store/database/tables.js'

/** Rows of one statement. */
const ROWS = 100

/** An event for a webhook. */
export type Handed = Pick<DeliveryRow, 'id' | 'event_id' | 'webhook_id'>

/** There is one for an event and a webhook, ever: its id says so. */
export function deliveryOf(eventId: string, webhookId: string): Handed {
  return { id: `${eventId}.${webhookId}`, event_id: eventId, webhook_id: webhookId }
}

/** Makes deliveries that are due at `now` (milliseconds since 1970); those that are there already stay as they are. */
export async function handOver({ db }: Tx, deliveries: readonly Handed[], now: number): Promise<void> {
  for (const lot of lotsOf(deliveries)) {
    const rows = lot.map((delivery) => ({
      ...delivery,
      ...{ waiting: delivery.webhook_id, due_at: now, lease: null, attempts: 0, outcome: null },
    }))
    await db
      .insertInto('deliveries')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }
}

/** Makes them due again from the first attempt, whatever became of them, also when they were forgotten. */
export async function handOverAgain({ db }: Tx, deliveries: readonly Handed[], now: number): Promise<void> {
  const fresh = { due_at: now, lease: null, attempts: 0, outcome: null }
  for (const lot of lotsOf(deliveries)) {
    await db
      .insertInto('deliveries')
      .values(lot.map((delivery) => ({ ...delivery, ...fresh, waiting: delivery.webhook_id })))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ ...fresh, waiting: eb.ref('deliveries.webhook_id') })),
      )
      .execute()
  }
}

/** The ids of those that are there. */
export async function knownOf({ db }: Tx, deliveries: readonly Handed[]): Promise<string[]> {
  const known: string[] = []
  for (const lot of lotsOf(deliveries)) {
    const ids = lot.map(({ id }) => id)
    const rows = await db.selectFrom('deliveries').select('id').where('id', 'in', ids).execute()
    known.push(...rows.map(({ id }) => id))
  }
  return known
}

function* lotsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += ROWS) yield all.slice(start, start + ROWS)
}
