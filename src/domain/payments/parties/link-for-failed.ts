import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { isUnavailable } from '../pending/gateway-answer.js'

/**
 * Makes a payment link for the invoice of a declined automatic payment, so that the payer can pay in person. Each
 * payment gets one link, which is completed once the invoice is paid. A payment that reached no gateway gets no link,
 * because it is retried automatically.
 */
export async function linkForFailed(work: Work, payment: TransactionRow, invoiceId: string): Promise<void> {
  const { id, status, status_code: code } = payment
  if (status !== 'declined' || (code !== null && isUnavailable(code))) return
  await work.asSystem(async () => {
    const invoice = await work.find(resources.invoice, invoiceId)
    if (!invoice || (invoice.amount_due ?? 0) <= 0) return
    const link = await work.create(resources.payment_link, { type: 'one_time', invoice_id: invoiceId })
    await work.change(resources.payment_link, link.id, { failed_payment_id: id })
  })
}

/** Calls `linkForFailed` for a declined automatic payment, with the invoice that the payment was to collect. */
export async function linkForDeclined(work: Work, payment: TransactionRow): Promise<void> {
  if (payment.automatic !== 1 || payment.status !== 'declined') return
  const attempt = await work.tx.db
    .selectFrom('collections')
    .select('invoice_id')
    .where('transaction_id', '=', payment.id)
    .executeTakeFirst()
  if (attempt) await linkForFailed(work, payment, attempt.invoice_id)
}
