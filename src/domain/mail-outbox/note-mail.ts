import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow } from '../../engine/store/database/tables.js'

/** What became of a message. */
type MailState = Pick<MailMessageRow, 'status' | 'problem' | 'sent_at'>

/**
 * Writes what became of a message to the notification that it is about, which keys may read that may not read mail. It
 * follows from the message, so it is no change of the notification with a line of activity.
 */
export async function noteMail(
  { tx: { db } }: Pick<Work, 'tx'>,
  { kind, about_id: id }: Pick<MailMessageRow, 'kind' | 'about_id'>,
  state: Partial<MailState>,
): Promise<void> {
  if (kind !== 'payment_link' || id === null) return
  await db.updateTable('link_notifications').set(state).where('id', '=', id).execute()
}
