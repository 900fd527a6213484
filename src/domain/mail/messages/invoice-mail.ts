import type { Work } from '../../../engine/core/write/work.js'
import type {
  InvoiceRow,
  LineItemRow,
  MailMessageRow,
  MailServerRow,
  PaymentLinkRow,
} from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { Row } from '../../../schema/columns.js'
import { methodOf } from '../../billing/collecting/collecting-of.js'
import { type Composed, dropped, mailFacts, written } from './composed.js'
import { foreignText, type MailFact, type MailLink } from './mail-content.js'
import { type MailContext, mailContext } from './mail-context.js'
import { methodLinkAddress } from './method-link.js'

/** Maximum number of charges in a message; the invoice's page has all of them. */
const MAX_CHARGES = 20

/** Message about a new invoice, with its charges and a link to pay it. */
export async function invoiceMail(work: Work, message: MailMessageRow, server: MailServerRow) {
  return await aboutInvoice(work, message, server, async (invoice, context, address) => {
    const { texts, merchant, money, date, frame } = context
    const items = await work.findBy(resources.line_item, 'invoice_id', invoice.id)
    const charges = items.filter(({ entry_type: type }) => type === 'charge').slice(0, MAX_CHARGES)
    const method = invoice.collect_on === null ? undefined : await methodOf(work, invoice)
    const due = invoice.amount_due ?? 0
    return written({
      ...frame,
      subject: texts.invoice.subject(numberOf(invoice), merchant),
      paragraphs: [
        texts.invoice.text(merchant, money(due)),
        ...(invoice.description ? [foreignText(invoice.description)] : []),
        ...(method?.description && invoice.collect_on
          ? [texts.invoice.automatic(date(invoice.collect_on), method.description)]
          : []),
      ],
      facts: [
        ...charges.map((item): MailFact => chargeFact(item, context)),
        ...invoiceFacts(invoice, context),
      ],
      button: { label: texts.invoice.button, address },
    })
  })
}

/** Message that reminds of an invoice some days before its due date. */
export async function reminderMail(work: Work, message: MailMessageRow, server: MailServerRow) {
  return await aboutInvoice(work, message, server, async (invoice, context, address) => {
    const { texts, merchant, money, date, frame } = context
    if (invoice.due_date === null || (invoice.overdue_at !== null && invoice.overdue_at <= work.now))
      return dropped('The due date has passed')
    const due = money(invoice.amount_due ?? 0)
    const day = date(invoice.due_date)
    return written({
      ...frame,
      subject: texts.reminder.subject(due, day, merchant),
      paragraphs: [texts.reminder.text(due, day)],
      facts: invoiceFacts(invoice, context),
      button: { label: texts.reminder.button, address },
      unsubscribe: unsubscribeLink(work, message, context),
    })
  })
}

/** Message about an automatic payment that failed, with links to pay and to replace the card on file. */
export async function failedPaymentMail(work: Work, message: MailMessageRow, server: MailServerRow) {
  return await aboutInvoice(work, message, server, async (invoice, context, address) => {
    const { texts, merchant, money, frame } = context
    const { failedPayment } = texts
    const due = money(invoice.amount_due ?? 0)
    const method = await methodOf(work, invoice)
    const replacing = await methodLinkAddress(work, invoice.customer_id, invoice.processing_id)
    const failed = method?.description
      ? failedPayment.text(due, method.description)
      : failedPayment.noMethod(due)
    return written({
      ...frame,
      subject: failedPayment.subject(merchant),
      paragraphs: [failed, failedPayment.next],
      facts: invoiceFacts(invoice, context),
      button: { label: failedPayment.button, address },
      ...(replacing !== undefined && { second: { label: failedPayment.replace, address: replacing } }),
    })
  })
}

/** Link by which the reader of a reminder unsubscribes. */
export function unsubscribeLink(work: Work, { id }: MailMessageRow, { texts }: MailContext): MailLink {
  const { unsubscribe_url: field } = resources.mail_message.fields
  return { label: texts.unsubscribe, address: work.addresses.show(field, id, work.now) ?? '' }
}

type ComposeInvoice = (invoice: InvoiceRow, context: MailContext, address: string) => Promise<Composed>

/** Composes a message about an invoice, with the address of a page to pay it. Drops the message if no amount is due. */
async function aboutInvoice(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
  compose: ComposeInvoice,
): Promise<Composed> {
  const invoice = await work.find(resources.invoice, message.about_id ?? '')
  if (!invoice) return dropped('The invoice is gone')
  if ((invoice.amount_due ?? 0) <= 0) return dropped('Nothing is due on the invoice')
  const link = await linkOf(work, invoice)
  const address = work.addresses.show(resources.payment_link.fields.url, link.id, work.now) ?? ''
  return await compose(invoice, await mailContext(work, message, server, link), address)
}

/** The link by which an invoice is paid: one that can be paid now, or a new one. */
async function linkOf(work: Work, { id }: InvoiceRow): Promise<PaymentLinkRow> {
  const links = await work.findBy(resources.payment_link, 'invoice_id', id)
  const open = links.find(
    ({ status, expires_at: end }) => status === 'active' && (end === null || end > work.now),
  )
  return open ?? (await work.create(resources.payment_link, { type: 'one_time', invoice_id: id }))
}

function invoiceFacts(invoice: InvoiceRow, { texts: { labels }, money, date }: MailContext): MailFact[] {
  const paid = invoice.total_paid ?? 0
  return mailFacts([
    [labels.invoice, numberOf(invoice)],
    [labels.paid, paid > 0 && money(paid)],
    [labels.amountDue, money(invoice.amount_due ?? 0)],
    [labels.due, invoice.due_date && date(invoice.due_date)],
  ])
}

function chargeFact({ description, type, total }: LineItemRow, { texts, money }: MailContext): MailFact {
  return [foreignText(description ?? type ?? texts.labels.amount), money(total ?? 0)]
}

/** The number of an invoice if it has one, otherwise its id. */
export function numberOf(invoice: InvoiceRow): string {
  const { number }: Row = invoice
  return typeof number === 'string' ? foreignText(number) : invoice.id
}
