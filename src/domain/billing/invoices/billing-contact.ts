import type { Work } from '../../../engine/core/write/work.js'
import type { AccountRow, InvoiceRow } from '../../../engine/store/database/tables.js'

type Contact = Pick<
  InvoiceRow,
  | 'billing_contact__city'
  | 'billing_contact__email'
  | 'billing_contact__name'
  | 'billing_contact__postal_code'
  | 'billing_contact__state_province'
  | 'billing_contact__street_address1'
>

/** Who is billed, as it stands now: the customer, and the billing address of the default payment method. */
export async function contactOf(work: Work, customer: AccountRow): Promise<Contact> {
  const methods = await work.findBy('payment_method', 'account_id', customer.id)
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
