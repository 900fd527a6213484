import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { MailServerRow } from '../../engine/store/database/tables.js'

/** Name for which a unit of work waits that adds the only mail server, or needs to know that there is none. */
export const MAIL_SERVER = 'mail server'

/** The mail server of the environment; undefined while mail is off. */
export async function currentServer({ tx }: Work): Promise<MailServerRow | undefined> {
  const [server] = await tx.run(oldestServer, {})
  return server
}

const oldestServer = prepared<object, MailServerRow>((db) =>
  db.selectFrom('admin_mail_servers').selectAll().where('deleted_at', 'is', null).orderBy('id').limit(1),
)
