import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow } from '../../engine/store/database/tables.js'

/** State of a message, as its notification shows it. */
type MailState = Pick<MailMessageRow, 'status' | 'problem' | 'sent_at'>

/**
 * Copies the state of a message to its link notification, because keys that may read notifications may not read mail.
 * The copy has no line of activity.
 */
export async function noteMail(
  { tx: { db } }: Pick<Work, 'tx'>,
  { kind, about_id: id }: Pick<MailMessageRow, 'kind' | 'about_id'>,
  state: Partial<MailState>,
): Promise<void> {
  if (kind !== 'payment_link' || id === null) return
  await db.updateTable('link_notifications').set(state).where('id', '=', id).execute()
}
