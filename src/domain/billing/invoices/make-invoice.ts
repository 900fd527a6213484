import { invalidAttributes } from '../../../engine/core/request/errors.js'
import type { InputByName, Work } from '../../../engine/core/write/work.js'
import type { InvoiceRow } from '../../../engine/store/database/tables.js'
import { judgingItemsOf } from '../../allocations/totals.js'
import { findDestination } from '../../payments/find-destination.js'
import { contactOf } from './billing-contact.js'
import { overdueAt, zoneOf } from './overdue.js'

export type InvoiceInput = InputByName['invoice']

/**
 * Makes an invoice with its items. Without a `processing_id` it is paid to where a payment of the customer would go.
 * `slot` is the billing day of a schedule that it is made for. Spec: "Invoice". Throws `InvalidAttributes`.
 */
export async function makeInvoice(
  work: Work,
  { items, attachments, ...own }: InvoiceInput,
  slot: string | null = null,
): Promise<InvoiceRow> {
  const customer = own.customer_id ? await work.find('customer', own.customer_id) : undefined
  if (!customer) throw invalidAttributes({ customer_id: own.customer_id ? 'Not found' : 'Required' })
  const account = await findDestination(work, { processing_id: own.processing_id }, customer)
  const plain = await work.createPlainly('invoice', {
    ...own,
    processing_id: account.id,
    processing_settings_id: account.processing_settings_id,
  })
  const invoice = await work.change('invoice', plain.id, {
    total_due: 0,
    total_paid: 0,
    amount_due: 0,
    item_count: 0,
    overdue_at: overdueAt(await zoneOf(work, account.id), plain.due_date),
    slot,
    ...(await contactOf(work, customer)),
  })
  return await judgingItemsOf(work, invoice.id, () =>
    work.updatePlainly('invoice', invoice, { items, attachments }),
  )
}
