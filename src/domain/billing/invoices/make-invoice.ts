import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { AccountRow, InvoiceRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { InputFor } from '../../../schema/types.js'
import { judgingItemsOf } from '../../allocations/totals.js'
import { queueInvoiceMail } from '../../mail-outbox/queue-mail.js'
import { findDestination } from '../../payments/parties/find-destination.js'
import { overdueAt, zoneOf } from './invoice-days.js'
import { nextNumber } from './invoice-number.js'

export type InvoiceInput = InputFor<typeof resources.invoice>

/**
 * Creates an invoice with its items. Without a `processing_id` it belongs to the account that would receive a payment
 * of the customer. `slot` is the billing day for which a schedule makes the invoice; null if a client makes it. Spec:
 * "Invoice". Throws `InvalidAttributes`.
 */
export async function makeInvoice(
  work: Work,
  { items, attachments, ...own }: InvoiceInput,
  slot: string | null = null,
): Promise<InvoiceRow> {
  const customer = own.customer_id ? await work.find(resources.customer, own.customer_id) : undefined
  if (!customer) throw invalidAttributes({ customer_id: own.customer_id ? 'Not found' : 'Required' })
  const account = await findDestination(work, { processing_id: own.processing_id }, customer)
  const plain = await work.createPlainly(resources.invoice, {
    ...own,
    processing_id: account.id,
    processing_settings_id: account.processing_settings_id,
  })
  const invoice = await work.change(resources.invoice, plain.id, {
    total_due: 0,
    total_paid: 0,
    amount_due: 0,
    item_count: 0,
    overdue_at: overdueAt(await zoneOf(work, account.id), plain.due_date),
    slot,
    ...(await contactOf(work, customer)),
    ...(await work.asSystem(() => nextNumber(work, account))),
  })
  const made = await judgingItemsOf(work, invoice.id, () =>
    work.updatePlainly(resources.invoice, invoice, { items, attachments }),
  )
  await queueInvoiceMail(work, 'invoice', made)
  return made
}

type Contact = Pick<
  InvoiceRow,
  | 'billing_contact__city'
  | 'billing_contact__email'
  | 'billing_contact__name'
  | 'billing_contact__postal_code'
  | 'billing_contact__state_province'
  | 'billing_contact__street_address1'
>

/** Billing contact, copied from the customer and from the billing address of the customer's default payment method. */
export async function contactOf(work: Work, customer: AccountRow): Promise<Contact> {
  const methods = await work.findBy(resources.payment_method, 'account_id', customer.id)
  const method = methods.find(({ default_payment_method: isDefault }) => isDefault === 1)
  return {
    billing_contact__city: method?.billing_address__city ?? null,
    billing_contact__email: customer.email,
    billing_contact__name: customer.name,
    billing_contact__postal_code: method?.billing_address__postal_code ?? null,
    billing_contact__state_province: method?.billing_address__state_province ?? null,
    billing_contact__street_address1: method?.billing_address__street_address ?? null,
  }
}
