import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow } from '../../engine/store/database/tables.js'

/** State of a message, as its notification shows it. */
type MailState = Pick<MailMessageRow, 'status' | 'problem' | 'sent_at'>

/**
 * Copies the state of a message to its notification, as keys that read notifications may not read mail. The copy follows
 * from the message, so activity has no line for it.
 */
export async function noteMail(
  { tx: { db } }: Pick<Work, 'tx'>,
  { kind, about_id: id }: Pick<MailMessageRow, 'kind' | 'about_id'>,
  state: Partial<MailState>,
): Promise<void> {
  if (kind !== 'payment_link' || id === null) return
  await db.updateTable('link_notifications').set(state).where('id', '=', id).execute()
}
