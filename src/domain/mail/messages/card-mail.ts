import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { type Composed, dropped, mailFacts, written } from './composed.js'
import { unsubscribeLink } from './invoice-mail.js'
import { mailContext } from './mail-context.js'
import { methodLinkAddress } from './method-link.js'

/** Message about a card that is charged automatically and expires soon. */
export async function expiringCardMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
): Promise<Composed> {
  const method = await work.find(resources.payment_method, message.about_id ?? '')
  if (!method?.card__expiry || method.default_payment_method !== 1)
    return dropped('The card is not used any more')
  const context = await mailContext(work, message, server)
  const { texts, merchant, frame } = context
  const { expiringCard, labels } = texts
  const month = monthOf(method.card__expiry, texts.tag)
  const name = method.description ?? ''
  const address = await methodLinkAddress(work, method.account_id, message.processing_id)
  return written({
    ...frame,
    subject: expiringCard.subject(merchant),
    paragraphs: [expiringCard.text(name, month), expiringCard.next(merchant)],
    facts: mailFacts([[labels.expires, method.card__expiry]]),
    ...(address !== undefined && { button: { label: expiringCard.button, address } }),
    unsubscribe: unsubscribeLink(work, message, context),
  })
}

/** The month of an expiry (`MM/YY`), in words. */
function monthOf(expiry: string, tag: string): string {
  const first = Date.parse(`20${expiry.slice(3)}-${expiry.slice(0, 2)}-01T00:00:00Z`)
  return new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first)
}
