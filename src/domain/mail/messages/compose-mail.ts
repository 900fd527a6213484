import type { Work } from '../../../engine/core/write/work.js'
import type { MailMessageRow, MailServerRow } from '../../../engine/store/database/tables.js'
import { expiringCardMail } from './card-mail.js'
import { type Composed, dropped, written } from './composed.js'
import { disputeMail } from './dispute-mail.js'
import { failedPaymentMail, invoiceMail, reminderMail } from './invoice-mail.js'
import { paymentLinkMail } from './link-mail.js'
import { mailContext } from './mail-context.js'
import { receiptMail } from './receipt-mail.js'

/** Composes a message from the objects as they are now. Makes a payment link for an invoice that has none. */
export async function composeMail(
  work: Work,
  message: MailMessageRow,
  server: MailServerRow,
): Promise<Composed> {
  switch (message.kind) {
    case 'receipt':
      return await receiptMail(work, message, server)
    case 'invoice':
      return await invoiceMail(work, message, server)
    case 'reminder':
      return await reminderMail(work, message, server)
    case 'failed_payment':
      return await failedPaymentMail(work, message, server)
    case 'expiring_card':
      return await expiringCardMail(work, message, server)
    case 'payment_link':
      return await paymentLinkMail(work, message, server)
    case 'dispute':
      return await disputeMail(work, message, server)
    case 'test':
      return await testMail(work, message, server)
    case null:
      return dropped('It has no kind')
  }
}

async function testMail(work: Work, message: MailMessageRow, server: MailServerRow): Promise<Composed> {
  const { texts, frame } = await mailContext(work, message, server)
  return written({ ...frame, subject: texts.test.subject, paragraphs: [texts.test.text], facts: [] })
}
