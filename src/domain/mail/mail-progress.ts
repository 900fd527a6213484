import type { Work } from '../../engine/core/write/work.js'
import { workNumbers } from '../../engine/store/database/differences.js'
import type { MailProgressRow } from '../../engine/store/database/mail-rows.js'
import { newestEvent } from '../webhooks/event-ids.js'

const ID = 'mail'

/** Position in the events up to which mail was queued; undefined before mail was first switched on. */
export async function mailProgress({ tx: { db } }: Work): Promise<MailProgressRow | undefined> {
  return await db.selectFrom('mail_progress').selectAll().where('id', '=', ID).executeTakeFirst()
}

/** Begins after the newest event, so that earlier events are not mailed. */
export async function beginProgress({ tx, now }: Work): Promise<void> {
  const events_after =
    tx.dialect === 'postgres' ? `${(await workNumbers(tx)).settled}.` : (await newestEvent(tx)) || 'evt_'
  const cards_of = now.slice(0, 7)
  await tx.db
    .insertInto('mail_progress')
    .values({ id: ID, events_after, cards_of })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ events_after, cards_of }))
    .execute()
}

export async function moveProgress(
  { tx: { db } }: Work,
  columns: Partial<Omit<MailProgressRow, 'id'>>,
): Promise<void> {
  await db.updateTable('mail_progress').set(columns).where('id', '=', ID).execute()
}
