import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow, PaymentLinkRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { notPayable } from '../../payments/parties/pay-through-link.js'
import { type Composed, dropped, mailFacts, written } from './composed.js'
import { numberOf } from './invoice-mail.js'
import { foreignText } from './mail-content.js'
import { mailContext } from './mail-context.js'

/** Message with a payment link, to the address that a request names. */
export async function paymentLinkMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
): Promise<Composed> {
  const notification = await work.find(resources.link_notification, message.about_id ?? '')
  const link = await work.find(resources.payment_link, notification?.payment_link_id ?? '')
  if (!link) return dropped('The payment link is gone')
  const closed = notPayable(link, work.now)
  if (closed) return dropped(`The payment link ${closed.toLowerCase()}`)
  if (link.type === 'method') return await methodLinkMail(work, message, server, link)
  const invoice = link.invoice_id === null ? undefined : await work.find(resources.invoice, link.invoice_id)
  const due = (link.invoice_id === null ? link.amount : invoice?.amount_due) ?? 0
  if (due <= 0) return dropped('Nothing is due on the invoice')
  const { texts, merchant, money, date, day, frame } = await mailContext(work, message, server, link)
  const { paymentLink, labels } = texts
  return written({
    ...frame,
    subject: paymentLink.subject(money(due), merchant),
    paragraphs: [
      paymentLink.text(merchant, money(due)),
      ...(link.description ? [foreignText(link.description)] : []),
    ],
    facts: mailFacts([
      [labels.invoice, invoice && numberOf(invoice)],
      [labels.due, invoice?.due_date && date(invoice.due_date)],
      [labels.expires, link.expires_at && day(link.expires_at)],
    ]),
    button: {
      label: paymentLink.button,
      address: work.addresses.show(resources.payment_link.fields.url, link.id, work.now) ?? '',
    },
  })
}

/** Message with a link on which the customer saves or replaces the card on file. */
async function methodLinkMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
  link: PaymentLinkRow,
): Promise<Composed> {
  const { texts, merchant, day, frame } = await mailContext(work, message, server, link)
  const { methodLink, labels } = texts
  return written({
    ...frame,
    subject: methodLink.subject(merchant),
    paragraphs: [methodLink.text(merchant), ...(link.description ? [foreignText(link.description)] : [])],
    facts: mailFacts([[labels.expires, link.expires_at && day(link.expires_at)]]),
    button: {
      label: methodLink.button,
      address: work.addresses.show(resources.payment_link.fields.url, link.id, work.now) ?? '',
    },
  })
}
