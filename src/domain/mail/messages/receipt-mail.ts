import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { type Composed, dropped, mailFacts, written } from './composed.js'
import { foreignText } from './mail-content.js'
import { mailContext } from './mail-context.js'

/** Message with the receipt of a payment, refund or credit, and a link to its page. */
export async function receiptMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
): Promise<Composed> {
  const receipt = await work.find(resources.receipt, message.about_id ?? '')
  const row = await work.find(resources.transaction, receipt?.transaction_id ?? '')
  if (!receipt?.type || !row) return dropped('The receipt is gone')
  const link = row.payment_link_id ? await work.find(resources.payment_link, row.payment_link_id) : undefined
  const { texts, merchant, money, day, frame } = await mailContext(work, message, server, link)
  const { labels } = texts
  const amount = row.amount ?? 0
  const surcharge = row.conv_fee ?? 0
  return written({
    ...frame,
    subject: texts.receipt.subject[receipt.type](merchant),
    paragraphs: [texts.receipt.text[receipt.type](money(amount + surcharge), merchant)],
    facts: mailFacts([
      [labels.description, row.description && foreignText(row.description)],
      [labels.amount, money(amount)],
      [labels.surcharge, surcharge > 0 && money(surcharge)],
      [labels.total, surcharge > 0 && money(amount + surcharge)],
      [labels.date, day(row.created_at)],
      [labels.method, await methodOf(work, row)],
      [labels.order, row.order_number && foreignText(row.order_number)],
      [labels.reference, row.ref_number],
    ]),
    button: {
      label: texts.receipt.button,
      address: work.addresses.show(resources.receipt.fields.url, receipt.id, work.now) ?? '',
    },
  })
}

/** Kind and last digits of the method of a payment; null for other transactions. */
async function methodOf(
  work: Work,
  { type, payment_method_id: id }: TransactionRow,
): Promise<string | null | undefined> {
  if (type !== 'payment' || id === null) return null
  return (await work.find(resources.payment_method, id))?.description
}
