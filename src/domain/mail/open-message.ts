import type { AddressParts } from '../../engine/core/read/addresses.js'
import type { Work } from '../../engine/core/write/work.js'
import type { MailMessageRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { DEFAULT_LANGUAGE, type Language } from '../../schema/language.js'
import type { MailContent } from './messages/mail-content.js'
import { parseMail } from './parse-mail.js'

/** A written message, for any visitor with its address. */
export interface OpenedMessage {
  readonly to: string
  readonly status: MailMessageRow['status']
  readonly language: Language
  readonly content: MailContent
}

/** The message of an address; undefined when the address is wrong or the message is not written. */
export async function openMessage(
  work: Work,
  requested: Omit<AddressParts, 'page'>,
): Promise<OpenedMessage | undefined> {
  if (!work.addresses.isGood({ ...requested, page: 'mail' }, work.now)) return undefined
  const row = await work.find(resources.mail_message, requested.id)
  const content = parseMail(row?.content)
  if (!row || !content) return undefined
  return {
    to: row.email ?? '',
    status: row.status,
    language: row.language ?? DEFAULT_LANGUAGE,
    content,
  }
}
